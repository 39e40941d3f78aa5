/** What stands over the page: keys, names to sign with, lines to choose from, what was stored. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { append, choosing, signAs, signing, toast } from './decide.ts';
import { Icon } from './icon.tsx';
import { isHelpOpen } from './keys.ts';
import { signature } from './settings.ts';
import { say, sayMoves } from './speech.ts';

function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: preact.ComponentChildren;
}) {
  const { title, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={ref} aria-labelledby="dialog-title" onClose={onClose} onCancel={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

const KEYS = [
  'key-list',
  'key-number',
  'key-open',
  'key-undo',
  'key-search',
  'key-hall',
  'key-game',
] as const;

function Help() {
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <Dialog title={say('keys-title')} onClose={close}>
      <ul>
        {KEYS.map((key) => (
          <li key={key}>{say(key)}</li>
        ))}
      </ul>
      <button type="button" onClick={close}>
        {say('close')}
      </button>
    </Dialog>
  );
}

function Sign() {
  const [name, setName] = useState(signature.value);
  return (
    <Dialog
      title={say('sign-as')}
      onClose={() => {
        signing.value = undefined;
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') signAs(name);
        }}
      >
        <label>
          {say('name')}{' '}
          <input
            id="sign-name"
            maxLength={80}
            required
            value={name}
            autocomplete="name"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <p class="hint">{say('sign-hint')}</p>
        <button type="submit" class="first">
          {say('save')}
        </button>
      </form>
    </Dialog>
  );
}

function Choose() {
  const chosen = choosing.value;
  if (chosen === undefined) return undefined;
  const close = (): void => {
    choosing.value = undefined;
  };
  return (
    <Dialog title={say('do-resynchronise')} onClose={close}>
      <p>{say(chosen.lines.length === 0 ? 'resync-none' : 'resync-choose')}</p>
      <p class="choices">
        {chosen.lines.map((line) => (
          <button
            key={line.join(' ')}
            type="button"
            class="first"
            data-line={line.join(' ')}
            onClick={() => {
              close();
              append(chosen.game, line);
            }}
          >
            {sayMoves(line)}
          </button>
        ))}
      </p>
      {chosen.isCut && <p class="hint">{say('resync-cut')}</p>}
      <button type="button" onClick={close}>
        {say('cancel')}
      </button>
    </Dialog>
  );
}

export function Dialogs() {
  return (
    <>
      {isHelpOpen.value && <Help />}
      {signing.value !== undefined && <Sign />}
      {choosing.value !== undefined && <Choose />}
    </>
  );
}

/** What was stored or was not, with the way back. */
export function ToastLine() {
  const said = toast.value;
  return (
    <div class="toast-place" role="status" aria-live="polite">
      {said !== undefined && (
        <p class={`toast ${said.kind}`}>
          <span>{said.text}</span>{' '}
          {said.undo !== undefined && (
            <button type="button" id="undo" onClick={said.undo}>
              {say('undo')}{' '}
              <span class="key" aria-hidden="true">
                u
              </span>
            </button>
          )}{' '}
          <button
            type="button"
            aria-label={say('close')}
            onClick={() => {
              toast.value = undefined;
            }}
          >
            <Icon name="cross" />
          </button>
        </p>
      )}
    </div>
  );
}
