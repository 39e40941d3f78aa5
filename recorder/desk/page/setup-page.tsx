/** Boards and ports as they stand, and which board is which. */
import { useEffect, useState } from 'preact/hooks';
import type { BoardHealth, Setup } from '../model/desk-api.ts';
import { nameOf } from '../model/desk-state.ts';
import type { HallRow } from '../model/hall-row.ts';
import { kingsLifted } from '../model/identify.ts';
import { desk } from './live.ts';
import { linkTo } from './route.ts';
import { getJson } from './server.ts';
import { say } from './speech.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** Boards in the order of their tables. */
const sorted = (boards: readonly BoardHealth[], rows: ReadonlyMap<string, HallRow>): BoardHealth[] =>
  [...boards].sort((a, b) =>
    collator.compare(nameOf(rows.get(a.board) ?? a), nameOf(rows.get(b.board) ?? b)),
  );

/** Time between two looks at the boards' health, ms. */
const LOOK_MS = 2000;

export function SetupPage() {
  const [setup, setSetup] = useState<Setup | undefined>(undefined);
  const [before, setBefore] = useState<ReadonlyMap<string, string> | undefined>(undefined);
  const [found, setFound] = useState<string | undefined>(undefined);
  const { rows } = desk.value;
  useEffect(() => {
    let isHere = true;
    const look = (): void => {
      getJson<Setup>('/api/setup')
        .then((read) => isHere && setSetup(read))
        .catch(() => {});
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, []);
  useEffect(() => {
    if (before === undefined) return;
    const [lifted] = kingsLifted(before, [...rows.values()]);
    if (lifted !== undefined) {
      setFound(lifted);
      setBefore(undefined);
    }
  }, [rows, before]);
  const foundRow = found === undefined ? undefined : rows.get(found);
  return (
    <div class="setup">
      <h1>{say('setup')}</h1>
      <p aria-live="polite">
        {before === undefined ? (
          <button
            type="button"
            onClick={() => {
              setFound(undefined);
              setBefore(new Map([...rows.values()].map(({ board, sensed = '' }) => [board, sensed])));
            }}
          >
            {say('setup-identify')}
          </button>
        ) : (
          <>
            {say('setup-identify-on')}{' '}
            <button type="button" onClick={() => setBefore(undefined)}>
              {say('cancel')}
            </button>
          </>
        )}{' '}
        {foundRow !== undefined && <strong>{say('setup-identify-found', { name: nameOf(foundRow) })}</strong>}
      </p>
      <section aria-labelledby="setup-boards">
        <h2 id="setup-boards">{say('setup-boards')}</h2>
        {setup === undefined || setup.boards.length === 0 ? (
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
                {sorted(setup.boards, rows).map((board) => {
                  const row = rows.get(board.board);
                  return (
                    <tr
                      key={board.board}
                      class={found === board.board ? 'found' : ''}
                      data-board={board.board}
                    >
                      <th scope="row">{row === undefined ? board.board : nameOf(row)}</th>
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
                        <span aria-hidden="true">{board.link === 'up' ? '●' : '✕'}</span>{' '}
                        {say(`link-${board.link}`)}
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
      {setup?.ports.some(({ board }) => board === undefined) === true && (
        <section aria-labelledby="setup-ports">
          <h2 id="setup-ports">{say('setup-ports')}</h2>
          <ul class="log">
            {setup.ports
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
    </div>
  );
}
