import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { loadPieces } from './board-drawing.ts';
import { listenForKeys } from './keys.ts';
import { start } from './live.ts';
import { language, theme } from './settings.ts';
import { listenForAlarms } from './sound.ts';
import { say } from './speech.ts';

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dataset.theme = theme.value;
  document.title = `Jadoube · ${say('title')}`;
});
render(<App />, document.getElementById('app')!);
void loadPieces();
listenForKeys();
listenForAlarms();
start();
