/** Boards and ports as they stand, and which board is which. */
import { signal } from '@preact/signals';
import type { BoardHealth } from '../model/desk-api.ts';
import { nameOf } from '../model/desk-state.ts';
import type { HallRow } from '../model/hall-row.ts';
import type { Setup } from '../model/setup-api.ts';
import { isBusy } from './decide.ts';
import { Icon } from './icon.tsx';
import { stopWaiting, waitForKing, waitsFor } from './identify.ts';
import { desk } from './live.ts';
import { linkTo } from './route.ts';
import { postJson } from './server.ts';
import { hold, maySetUp } from './setup-data.ts';
import { say } from './speech.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** Boards in the order of their tables. */
const sorted = (boards: readonly BoardHealth[], rows: ReadonlyMap<string, HallRow>): BoardHealth[] =>
  [...boards].sort((a, b) =>
    collator.compare(nameOf(rows.get(a.board) ?? a), nameOf(rows.get(b.board) ?? b)),
  );

/** The board on which a king was lifted when somebody asked. */
const foundBoard = signal<string | undefined>(undefined);

function HoldButton({ board, isHeld }: { readonly board: string; readonly isHeld: boolean }) {
  if (!maySetUp()) return <>{isHeld ? say('state-held') : '–'}</>;
  return (
    <button
      type="button"
      disabled={isBusy.value}
      aria-label={`${say(isHeld ? 'release' : 'hold')}: ${board}`}
      onClick={() => hold(board, !isHeld)}
    >
      {say(isHeld ? 'release-short' : 'hold-short')}
    </button>
  );
}

export function SetupBoards({ known }: { readonly known: Setup | undefined }) {
  const { rows } = desk.value;
  const found = foundBoard.value;
  const foundRow = found === undefined ? undefined : rows.get(found);
  const held = new Set(known?.holds.map(({ board }) => board));
  return (
    <>
      <p aria-live="polite">
        {waitsFor.value === 'anybody' ? (
          <>
            {say('setup-identify-on')}{' '}
            <button type="button" onClick={stopWaiting}>
              {say('cancel')}
            </button>
          </>
        ) : (
          <button
            type="button"
            id="identify"
            onClick={() => {
              foundBoard.value = undefined;
              waitForKing('anybody', (board) => {
                foundBoard.value = board;
              });
            }}
          >
            {say('setup-identify')}
          </button>
        )}{' '}
        {foundRow !== undefined && (
          <strong id="identified">{say('setup-identify-found', { name: nameOf(foundRow) })}</strong>
        )}
      </p>
      <section aria-labelledby="setup-boards">
        <h2 id="setup-boards">{say('setup-boards')}</h2>
        {known === undefined || known.boards.length === 0 ? (
          <p class="empty">{say('setup-none')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keys.
          <section class="scroll" tabIndex={0} aria-label={say('setup-boards')}>
            <table>
              <thead>
                <tr>
                  {(
                    [
                      'board-n',
                      'publication',
                      'setup-kind',
                      'setup-pairing',
                      'setup-link',
                      'setup-battery',
                      'setup-clock',
                      'setup-messages',
                      'setup-discarded',
                      'setup-losses',
                      'setup-address',
                      'setup-firmware',
                      'setup-serial',
                    ] as const
                  ).map((key) => (
                    <th key={key} scope="col">
                      {say(key, { name: '' }).trim()}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {sorted(known.boards, rows).map((board) => {
                  const row = rows.get(board.board);
                  return (
                    <tr
                      key={board.board}
                      class={found === board.board ? 'found' : ''}
                      data-board={board.board}
                    >
                      <th scope="row">{row === undefined ? board.board : nameOf(row)}</th>
                      <td>
                        <HoldButton board={board.board} isHeld={held.has(board.board)} />{' '}
                        {known.simulated.includes(board.board) && maySetUp() && (
                          <button
                            type="button"
                            data-do="simulate-king"
                            onClick={() => void postJson(`/api/simulated/${board.board}/king`, {})}
                          >
                            {say('simulate-king')}
                          </button>
                        )}
                      </td>
                      <td>{board.model ?? board.kindName}</td>
                      <td>
                        {row?.game === undefined ? (
                          say('state-waiting')
                        ) : (
                          <a href={linkTo({ page: 'game', game: row.game })}>
                            {row.white ?? say('no-player')} – {row.black ?? say('no-player')}
                          </a>
                        )}
                      </td>
                      <td class={`link-${board.link}`}>
                        <Icon name={board.link === 'up' ? 'disc' : 'cross'} /> {say(`link-${board.link}`)}
                        {board.fault !== undefined && (
                          <span class="fault">
                            {' '}
                            {board.fault.message} {board.fault.cure}
                          </span>
                        )}
                      </td>
                      <td>{board.batteryPercent === undefined ? '–' : `${board.batteryPercent} %`}</td>
                      <td>{board.clock ?? (row?.whiteMs === undefined ? '–' : say('yes'))}</td>
                      <td class="n">{board.messagesPerMinute}</td>
                      <td class="n">{board.discarded}</td>
                      <td class="n">{board.losses}</td>
                      <td>{board.address}</td>
                      <td>{board.firmware ?? '–'}</td>
                      <td>{board.serialNumber ?? '–'}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
        )}
      </section>
      {known?.ports.some(({ board }) => board === undefined) === true && (
        <section aria-labelledby="setup-ports">
          <h2 id="setup-ports">{say('setup-ports')}</h2>
          <ul class="log">
            {known.ports
              .filter(({ board }) => board === undefined)
              .map(({ port, address, state, fault }) => (
                <li key={port}>
                  <strong>{address}</strong> {state}{' '}
                  {fault !== undefined && <span class="fault">{fault.message}</span>}
                </li>
              ))}
          </ul>
        </section>
      )}
    </>
  );
}
