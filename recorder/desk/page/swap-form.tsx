/** The game goes on at another electronic board: chosen, looked at, done. */
import { useState } from 'preact/hooks';
import type { GameDetails } from '../model/desk-api.ts';
import type { ChangePreview, Setup, SetupTable } from '../model/setup-api.ts';
import { isBusy } from './decide.ts';
import { getJson } from './server.ts';
import { change, maySetUp } from './setup-data.ts';
import { Preview } from './setup-tables.tsx';
import { say } from './speech.ts';

interface Places {
  readonly table: SetupTable | undefined;
  readonly boards: readonly string[];
}

export function SwapForm({ game }: { readonly game: GameDetails }) {
  const [places, setPlaces] = useState<Places | undefined>(undefined);
  const [eboard, setEboard] = useState('');
  const [preview, setPreview] = useState<ChangePreview | undefined>(undefined);
  if (!maySetUp() || game.ended) return undefined;
  const open = async (): Promise<void> => {
    const setup = await getJson<Setup>('/api/setup');
    const boards = setup.boards.map(({ board }) => board).filter((board) => board !== game.board);
    setPlaces({ table: setup.tournament?.tables.find((table) => table.eboard === game.board), boards });
    setEboard(boards[0] ?? '');
  };
  const send = (pairing: number, seen: number | undefined): void =>
    change(
      '/api/tournament/swap',
      { pairing, eboard, ...(seen !== undefined && { seen }) },
      ({ isMade, lines }) => (isMade ? say('changes-made', { count: lines.length }) : say('look-at-it')),
      // What has to be set up is read while it is done.
      (answer) => setPreview(answer),
    );
  const { table } = places ?? {};
  return (
    <form
      class="decision"
      data-decision="swap"
      onSubmit={(event) => {
        event.preventDefault();
        if (places === undefined) void open().catch(() => {});
        else if (table !== undefined && eboard !== '') send(table.pairing, undefined);
      }}
    >
      <fieldset>
        <legend>{say('swap')}</legend>
        <p class="hint">{say('swap-hint')}</p>
        {places !== undefined && table === undefined && <p>{say('swap-none')}</p>}
        {table !== undefined && (
          <label>
            {say('swap')}{' '}
            <select
              value={eboard}
              onChange={(event) => {
                setEboard(event.currentTarget.value);
                setPreview(undefined);
              }}
            >
              {places?.boards.map((board) => (
                <option key={board} value={board}>
                  {board}
                </option>
              ))}
            </select>
          </label>
        )}
        {(places === undefined || table !== undefined) && preview === undefined && (
          <button type="submit" disabled={isBusy.value}>
            {say(places === undefined ? 'swap' : 'swap-look')} …
          </button>
        )}
        {preview !== undefined && table !== undefined && (
          <Preview
            preview={preview}
            onMake={() => send(table.pairing, preview.revision)}
            onCancel={() => {
              setPreview(undefined);
              setPlaces(undefined);
            }}
          />
        )}
      </fieldset>
    </form>
  );
}
