/** A short tone on this machine when a new alarm comes; only where somebody asked for it. */
import { effect } from '@preact/signals';
import { attention } from './live.ts';
import { hasSound } from './settings.ts';

let context: AudioContext | undefined;
let known: ReadonlySet<string> = new Set();

export function beep(): void {
  context ??= new AudioContext();
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = 660;
  gain.gain.setValueAtTime(0.2, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start();
  oscillator.stop(context.currentTime + 0.4);
}

export function listenForAlarms(): void {
  effect(() => {
    const alarms = attention.value.filter(({ severity }) => severity === 'alarm').map(({ key }) => key);
    const isNew = alarms.some((key) => !known.has(key));
    known = new Set(alarms);
    if (isNew && hasSound.peek()) beep();
  });
}
