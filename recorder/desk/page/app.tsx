/** The page around what is looked at: where one is, how the recorder stands, what one has chosen. */
import { LANGUAGES, type Language } from '../../language/language.ts';
import { CATALOGUES } from '../../language/wording.ts';
import { ClaimPage } from './claim-page.tsx';
import { signing } from './decide.ts';
import { Dialogs, ToastLine } from './dialogs.tsx';
import { GamePage } from './game-page.tsx';
import { Hall } from './hall.tsx';
import { Icon } from './icon.tsx';
import { isHelpOpen } from './keys.ts';
import { areAllHeld, connection, notices, refresh, session, summary } from './live.ts';
import { linkTo, route } from './route.ts';
import { signOut } from './server.ts';
import { choose, hasSound, language, signature, THEMES, type Theme, theme } from './settings.ts';
import { SetupPage } from './setup-page.tsx';
import { SignIn } from './sign-in.tsx';
import { beep } from './sound.ts';
import { say } from './speech.ts';

function Summary() {
  const { boards, playing, ended, away, attention } = summary.value;
  return (
    <p class="summary">
      <span>
        <b>{boards}</b> {say('sum-boards')}
      </span>
      <span>
        <b>{playing}</b> {say('sum-playing')}
      </span>
      <span>
        <b>{ended}</b> {say('sum-ended')}
      </span>
      {away > 0 && (
        <span class="away">
          <b>{away}</b> {say('sum-away')}
        </span>
      )}
      <span class={attention > 0 ? 'attention-sum' : ''}>
        <b id="attention-count">{attention}</b> {say('sum-attention')}
      </span>
    </p>
  );
}

function Choices() {
  const info = session.value;
  return (
    <div class="choices-bar">
      <label>
        <span class="visually-hidden">{say('language')}</span>
        <select
          id="language"
          value={language.value}
          onChange={(event) => choose('language', event.currentTarget.value as Language)}
        >
          {LANGUAGES.map((name) => (
            <option key={name} value={name} lang={name}>
              {CATALOGUES[name].endonym}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">{say('theme')}</span>
        <select
          id="theme"
          title={say('theme')}
          value={theme.value}
          onChange={(event) => choose('theme', event.currentTarget.value as Theme)}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {say(`theme-${name}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={hasSound.value}
          onChange={(event) => {
            choose('sound', event.currentTarget.checked);
            // Browsers let a page sound only after somebody has touched it: now.
            if (event.currentTarget.checked) beep();
          }}
        />{' '}
        {say('sound')}
      </label>
      <button
        type="button"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        {say('help')}{' '}
        <span class="key" aria-hidden="true">
          ?
        </span>
      </button>
      {info?.isOpen === true && (
        <button
          type="button"
          onClick={() => {
            signing.value = { goOn: () => {} };
          }}
        >
          {signature.value === '' ? say('sign-as') : `${say('sign-as')}: ${signature.value}`}
        </button>
      )}
      {info?.isOpen === false && info.name !== undefined && (
        <button
          type="button"
          onClick={() => {
            void signOut().then((answer) => {
              session.value = answer;
              return refresh();
            });
          }}
        >
          {info.name}: {say('sign-out')}
        </button>
      )}
    </div>
  );
}

export function App() {
  const info = session.value;
  const { page } = route.value;
  const isLive = connection.value === 'live';
  const isKnown = info?.role !== undefined;
  const current = (name: string): 'page' | undefined => (page === name ? 'page' : undefined);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('attention')?.focus()}>
        {say('skip-attention')}
      </button>
      <header class="bar">
        <nav aria-label={say('title')}>
          <a href={linkTo({ page: 'hall' })} aria-current={current('hall')}>
            {say('hall')}
          </a>
          <a href={linkTo({ page: 'setup' })} aria-current={current('setup')}>
            {say('setup')}
          </a>
          <a href={`/papers/report?lang=${language.value}`} target="_blank" rel="noreferrer">
            {say('report')}
          </a>
        </nav>
        {isKnown && <Summary />}
        <span class={`connection ${connection.value}`}>
          <Icon name={isLive ? 'disc' : 'cross'} /> {say(isLive ? 'live-yes' : 'live-connecting')}
        </span>
        <Choices />
      </header>
      {connection.value === 'lost' && isKnown && (
        <p class="banner" role="alert">
          {say('live-no')}
        </p>
      )}
      {areAllHeld.value && isKnown && (
        <p class="banner held" role="status">
          <Icon name="pause" /> {say('held-banner')}
        </p>
      )}
      {notices.value.length > 0 && (
        <details class="notices">
          <summary>
            {say('notices')} ({notices.value.length})
          </summary>
          <ul>
            {notices.value.map(({ code, message, cure, atMs }) => (
              <li key={`${code} ${atMs}`}>
                {message} {cure}
              </li>
            ))}
          </ul>
        </details>
      )}
      <main>
        {info !== undefined && !isKnown && <SignIn />}
        {isKnown && page === 'hall' && (
          <>
            <h1 class="visually-hidden">{say('hall')}</h1>
            <Hall />
          </>
        )}
        {isKnown && page === 'game' && <GamePage />}
        {isKnown && page === 'claim' && <ClaimPage />}
        {isKnown && page === 'setup' && <SetupPage />}
      </main>
      <ToastLine />
      <Dialogs />
    </>
  );
}
