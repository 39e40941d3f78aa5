/** Which electronic board stands at which table: drawn there with the mouse, chosen by keys, or found by a lifted king. */
import { useEffect, useState } from 'preact/hooks';
import type { BoardHealth } from '../model/desk-api.ts';
import type { ChangePreview, SetupTable, SetupTournament } from '../model/setup-api.ts';
import { isBusy } from './decide.ts';
import { Icon } from './icon.tsx';
import { stopWaiting, waitForKing, waitsFor } from './identify.ts';
import { linkTo } from './route.ts';
import { assign, change, chooseRound, maySetUp, sayChange } from './setup-data.ts';
import { say } from './speech.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** What of a board people read on its back: the end of its number. */
const FORMAT = 'text/plain';

interface TablesProps {
  readonly tournament: SetupTournament;
  readonly boards: readonly BoardHealth[];
}

export function SetupTables({ tournament, boards }: TablesProps) {
  const { tables, rounds, round } = tournament;
  const keys = [
    ...new Set([...boards.map(({ board }) => board), ...tables.flatMap(({ eboard }) => eboard ?? [])]),
  ].sort(collator.compare);
  const placed = new Set(tables.map(({ eboard }) => eboard));
  const free = keys.filter((board) => !placed.has(board));
  const may = maySetUp();
  return (
    <section aria-labelledby="setup-tables">
      <h2 id="setup-tables">
        {say('setup-tables')}
        {tournament.name !== undefined && `: ${tournament.name}`}
      </h2>
      {tables.length === 0 ? (
        <p class="empty">{say('tables-none')}</p>
      ) : (
        <>
          <p class="fields">
            <label>
              {say('round')}{' '}
              <select
                id="setup-round"
                value={round}
                onChange={(event) => chooseRound(Number(event.currentTarget.value))}
              >
                {rounds.map((number) => (
                  <option key={number} value={number}>
                    {number}
                  </option>
                ))}
              </select>
            </label>
            {may && round !== undefined && <AssignAll round={round} />}
          </p>
          {may && <p class="hint">{say('tables-hint')}</p>}
          {may && (
            // biome-ignore lint/a11y/noStaticElementInteractions: keys have the list of boards at each table.
            <div
              class="free-boards"
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                const board = event.dataTransfer?.getData(FORMAT);
                const table = tables.find(({ eboard }) => eboard === board);
                if (table !== undefined) assign(table.pairing, undefined);
              }}
            >
              <strong>{say('boards-free')}</strong>{' '}
              {free.length === 0 ? <span class="quiet">{say('boards-free-none')}</span> : ''}
              {free.map((board) => (
                <Chip key={board} board={board} />
              ))}
            </div>
          )}
          <ul class="tables">
            {tables.map((table) => (
              <Table key={table.pairing} table={table} boards={keys} may={may} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** A board that can be taken with the mouse. */
function Chip({ board }: { readonly board: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys have the list of boards at each table.
    <span
      class="chip"
      draggable={maySetUp()}
      data-board={board}
      onDragStart={(event) => {
        event.dataTransfer?.setData(FORMAT, board);
        if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'move';
      }}
    >
      <Icon name="grip" /> {board}
    </span>
  );
}

function Table(props: {
  readonly table: SetupTable;
  readonly boards: readonly string[];
  readonly may: boolean;
}) {
  const { table, boards, may } = props;
  const [isOver, setOver] = useState(false);
  const { pairing, section, eboard, game, result } = table;
  const [chosen, setChosen] = useState(eboard ?? '');
  useEffect(() => setChosen(eboard ?? ''), [eboard]);
  const name = `${section === '' ? '' : `${section} `}${table.table ?? '–'}`;
  const isWaiting = waitsFor.value === `table ${pairing}`;
  return (
    <li
      class={`table${isOver ? ' over' : ''}${eboard === undefined ? ' bare' : ''}`}
      data-table={table.table}
      onDragOver={(event) => {
        if (!may) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const board = event.dataTransfer?.getData(FORMAT) ?? '';
        if (may && boards.includes(board)) assign(pairing, board);
      }}
    >
      <strong class="number">{name}</strong>
      <span class="names">
        {table.white ?? say('no-player')} – {table.black ?? say('no-player')}
        {result !== undefined && <b> {result}</b>}{' '}
        {game !== undefined && <a href={linkTo({ page: 'game', game })}>{say('game-n', { game })}</a>}
      </span>
      <span class="place">
        {eboard !== undefined && <Chip board={eboard} />}
        {may && (
          <>
            <form
              class="placing"
              onSubmit={(event) => {
                event.preventDefault();
                assign(pairing, chosen === '' ? undefined : chosen);
              }}
            >
              {/* Placed by the button: keys go through all boards of a list on their way to the one that is meant. */}
              <select
                aria-label={say('board-of-table', { table: name })}
                value={chosen}
                disabled={isBusy.value}
                onChange={(event) => setChosen(event.currentTarget.value)}
              >
                <option value="">{say('board-none')}</option>
                {boards.map((board) => (
                  <option key={board} value={board}>
                    {board}
                  </option>
                ))}
              </select>{' '}
              {chosen !== (eboard ?? '') && (
                <button type="submit" class="first" data-do="place" disabled={isBusy.value}>
                  {say('place')}
                </button>
              )}
            </form>
            <button
              type="button"
              aria-pressed={isWaiting}
              aria-label={`${say('board-of-table', { table: name })}: ${say('lift-king')}`}
              data-do="lift-king"
              onClick={() =>
                isWaiting ? stopWaiting() : waitForKing(`table ${pairing}`, (board) => assign(pairing, board))
              }
            >
              {isWaiting ? `${say('cancel')} …` : say('lift-king')}
            </button>
          </>
        )}
        {isWaiting && <span role="status">{say('setup-identify-on')}</span>}
      </span>
    </li>
  );
}

/** Boards of a whole round at once: looked at before it is done. */
function AssignAll({ round }: { readonly round: number }) {
  const [preview, setPreview] = useState<ChangePreview | undefined>(undefined);
  const [mode, setMode] = useState<'remembered' | 'serial'>('remembered');
  const look = (wanted: typeof mode): void => {
    setMode(wanted);
    change('/api/tournament/assign-all', { round, mode: wanted }, () => say('look-at-it'), setPreview);
  };
  return (
    <>
      <button type="button" disabled={isBusy.value} onClick={() => look('remembered')}>
        {say('assign-remembered')} …
      </button>
      <button type="button" disabled={isBusy.value} onClick={() => look('serial')}>
        {say('assign-serial')} …
      </button>
      {preview !== undefined && (
        <Preview
          preview={preview}
          onMake={() =>
            change(
              '/api/tournament/assign-all',
              { round, mode, seen: preview.revision },
              ({ lines }) => say('changes-made', { count: lines.length }),
              () => setPreview(undefined),
            )
          }
          onCancel={() => setPreview(undefined)}
        />
      )}
    </>
  );
}

/** What would change, and whether it shall. */
export function Preview(props: {
  readonly preview: ChangePreview;
  readonly onMake: () => void;
  readonly onCancel: () => void;
}) {
  const { preview, onMake, onCancel } = props;
  const { lines, warnings, read } = preview;
  return (
    <div class="preview" role="status">
      {read !== undefined && <p>{say('import-read', { ...read })}</p>}
      {warnings.length > 0 && (
        <ul class="log warnings">
          {warnings.map(({ line, message }, i) => (
            <li key={i} class="warning">
              {line !== undefined && `${say('line-n', { line })}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      {lines.length === 0 ? (
        <p>{say('nothing-new')}</p>
      ) : (
        <>
          <p>{say(preview.isMade ? 'changes-made' : 'changes-would', { count: lines.length })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keys. */}
          <ul class="log changes" tabIndex={0}>
            {lines.map((line, i) => (
              <li key={i} data-change={line.type}>
                {sayChange(line)}
                {line.setUp !== undefined && (
                  <>
                    {' '}
                    {say('set-up-first')} <code>{line.setUp}</code>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="actions">
        {lines.length > 0 && !preview.isMade && (
          <button type="button" class="first" disabled={isBusy.value} data-do="make" onClick={onMake}>
            {say('make-changes')}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {say(lines.length > 0 && !preview.isMade ? 'cancel' : 'close')}
        </button>
      </p>
    </div>
  );
}
