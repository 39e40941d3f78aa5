/** Where games go, how late, and what stands in the way; what is withheld from all of it. */
import type { Setup, SetupOutput } from '../model/setup-api.ts';
import { isBusy } from './decide.ts';
import { Icon } from './icon.tsx';
import { hold, maySetUp } from './setup-data.ts';
import { say, sayDuration, sayTime } from './speech.ts';

const sayDelay = ({ delaySeconds, delayPlies }: SetupOutput): string =>
  [
    ...(delaySeconds > 0 ? [sayDuration(delaySeconds * 1000)] : []),
    ...(delayPlies > 0 ? [say('plies-n', { plies: delayPlies })] : []),
  ].join(', ') || say('delay-none');

function State({ output }: { readonly output: SetupOutput }) {
  const { isEnabled, fault, lastSentAtMs } = output;
  if (!isEnabled) return <span class="quiet">{say('output-off')}</span>;
  if (fault !== undefined)
    return (
      <span class="fault">
        <Icon name="triangle" /> {say(fault.isLost ? 'output-lost' : 'output-again')} {fault.message}{' '}
        {fault.cure}
      </span>
    );
  return (
    <span class="link-up">
      <Icon name="disc" />{' '}
      {output.type === 'http'
        ? say('output-served')
        : lastSentAtMs === undefined
          ? say('output-waits')
          : say('output-sent', { time: sayTime(lastSentAtMs), count: output.sent })}
    </span>
  );
}

export function SetupOutputs({ known }: { readonly known: Setup }) {
  const { outputs, holds } = known;
  const areAllHeld = holds.some(({ board }) => board === undefined);
  return (
    <section aria-labelledby="setup-outputs">
      <h2 id="setup-outputs">{say('setup-outputs')}</h2>
      {outputs === undefined || outputs.length === 0 ? (
        <p class="empty">{say('outputs-none')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keys.
        <section class="scroll" tabIndex={0} aria-label={say('setup-outputs')}>
          <table class="wraps">
            <thead>
              <tr>
                {(['output', 'setup-kind', 'output-delay', 'output-state'] as const).map((key) => (
                  <th key={key} scope="col">
                    {say(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {outputs.map((output) => (
                <tr key={`${output.type} ${output.name}`} data-output={output.name}>
                  <th scope="row">{output.name}</th>
                  <td>{output.type}</td>
                  <td>{sayDelay(output)}</td>
                  <td>
                    <State output={output} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {holds.length > 0 && (
        <ul class="log holds">
          {holds.map(({ board, sinceMs, by }) => (
            <li key={board ?? ''}>
              <strong>{board === undefined ? say('hold-all') : say('hold-board', { board })}</strong>{' '}
              {say('hold-by', { time: sayTime(sinceMs), by })}{' '}
              {maySetUp() && (
                <button type="button" disabled={isBusy.value} onClick={() => hold(board, false)}>
                  {say('release')}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {maySetUp() && !areAllHeld && (
        <p>
          <button type="button" id="hold-all" disabled={isBusy.value} onClick={() => hold(undefined, true)}>
            {say('hold')}: {say('hold-all')}
          </button>
        </p>
      )}
    </section>
  );
}
