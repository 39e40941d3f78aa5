/** A list of pairings from a file: read, looked at, and only then made true. */
import { useState } from 'preact/hooks';
import type { ChangePreview } from '../model/setup-api.ts';
import { isBusy } from './decide.ts';
import { change, maySetUp } from './setup-data.ts';
import { Preview } from './setup-tables.tsx';
import { say } from './speech.ts';

/** A file as base64, in pieces: one call with all of its bytes would be too long for the stack. */
async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

export function SetupImport() {
  const [file, setFile] = useState<File | undefined>(undefined);
  const [round, setRound] = useState('');
  const [isWhole, setWhole] = useState(false);
  const [preview, setPreview] = useState<ChangePreview | undefined>(undefined);
  if (!maySetUp()) return undefined;
  const send = async (seen: number | undefined): Promise<void> => {
    if (file === undefined) return;
    const data = await readBase64(file);
    const body = {
      file: file.name,
      data,
      whole: isWhole,
      ...(round !== '' && { round: Number(round) }),
      ...(seen !== undefined && { seen }),
    };
    change(
      '/api/tournament/import',
      body,
      ({ isMade, lines }) => (isMade ? say('changes-made', { count: lines.length }) : say('look-at-it')),
      (answer) => setPreview(answer.isMade ? undefined : answer),
    );
  };
  return (
    <section aria-labelledby="setup-import">
      <h2 id="setup-import">{say('setup-import')}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void send(undefined);
        }}
      >
        <label>
          {say('import-file')}{' '}
          <input
            id="import-file"
            type="file"
            required
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0]);
              setPreview(undefined);
            }}
          />
        </label>
        <label>
          {say('import-round')}{' '}
          <input
            type="number"
            min={1}
            max={1000}
            value={round}
            onInput={(event) => {
              setRound(event.currentTarget.value);
              setPreview(undefined);
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isWhole}
            onChange={(event) => {
              setWhole(event.currentTarget.checked);
              setPreview(undefined);
            }}
          />{' '}
          {say('import-whole')}
        </label>
        <button type="submit" id="import-look" disabled={isBusy.value || file === undefined}>
          {say('import-look')}
        </button>
      </form>
      <p class="hint">{say('import-hint')}</p>
      {preview !== undefined && (
        <Preview
          preview={preview}
          onMake={() => void send(preview.revision)}
          onCancel={() => setPreview(undefined)}
        />
      )}
    </section>
  );
}
