/** A claim of a draw checked in the record, and whether a player can still mate: the arbiter decides. */
import { useState } from 'preact/hooks';
import { checkClaim, isClaimable, parseIntended } from '../../../core/laws/draw-rules.ts';
import { type GameLine, lineOf } from '../../../core/laws/game-line.ts';
import { makePlacement } from '../../../core/placement.ts';
import type { Move } from '../../../core/position.ts';
import { SIDES, type Side } from '../../../core/square.ts';
import type { GameDetails } from '../model/desk-api.ts';
import { BoardPicture, describePlacement } from './board-picture.tsx';
import { details, detailsFault } from './game-data.ts';
import { linkTo } from './route.ts';
import { getJson } from './server.ts';
import { phrases, say, sayMove, sayMoves } from './speech.ts';

/** A ply as an arbiter names it: "4…Ng8"; the start before the first; one past the end is the written move. */
function namePly(line: GameLine, number: number, written: Move | undefined): string {
  if (number === 0) return phrases.value.text('claim-start');
  const before = line.positionBefore(number);
  const san = line.plies[number - 1]?.record.san ?? (written === undefined ? '' : before.san(written));
  return `${before.fullmoves}${before.turn === 'white' ? '.' : '…'}${sayMove(san)}`;
}

export function ClaimPage() {
  const game = details.value;
  if (game === undefined)
    return (
      <p class="empty">
        {detailsFault.value?.message ?? `${say('checking')} …`}{' '}
        <a href={linkTo({ page: 'hall' })}>{say('back')}</a>
      </p>
    );
  return <Claim key={game.game} game={game} />;
}

function Claim({ game }: { readonly game: GameDetails }) {
  const [text, setText] = useState('');
  const [isTouched, setTouched] = useState(false);
  const line = lineOf(game.start, game.variant, game.plies);
  const move = text.trim() === '' ? undefined : parseIntended(line, text.trim());
  const isIllegal = text.trim() !== '' && move === undefined;
  const hasTouched = game.flags.some(({ code, ply }) => code === 'TOUCH' && ply === game.plies.length + 1);
  const check =
    line.brokenAt === undefined && !isIllegal
      ? checkClaim(line, { touched: isTouched || hasTouched, ...(move !== undefined && { move }) })
      : undefined;
  const { position } = line;
  const placement = makePlacement(position.cells);
  const { catalogue } = phrases.value;
  return (
    <div class="claim">
      <h1>
        {say('claim-title')}: {game.tags.White ?? say('no-player')} – {game.tags.Black ?? say('no-player')}
      </h1>
      <p class="no-print">
        <a href={linkTo({ page: 'game', game: game.game })}>{say('game-n', { game: game.game })}</a>{' '}
        <button type="button" onClick={() => print()}>
          {say('print')}
        </button>
      </p>
      <section class="claim-body">
        <BoardPicture
          placement={placement}
          lastUci={game.plies.at(-1)?.uci}
          label={describePlacement(placement)}
        />
        <div>
          <p>
            {say('at-ply', { ply: namePly(line, line.plies.length, undefined) })},{' '}
            {say('to-move', { side: phrases.value.side(position.turn).genitive })}
          </p>
          <label>
            {say('claim-intended')}
            <input
              id="claim-move"
              type="text"
              autocomplete="off"
              value={text}
              aria-invalid={isIllegal}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={isTouched || hasTouched}
              disabled={hasTouched}
              onChange={(event) => setTouched(event.currentTarget.checked)}
            />{' '}
            {say('claim-touched')}
          </label>
          <div class="verdict" aria-live="polite">
            {line.brokenAt !== undefined && (
              <p class="fault">{say('claim-broken', { ply: line.brokenAt })}</p>
            )}
            {isIllegal && <p class="fault">{say('correct-illegal', { move: text })}</p>}
            {check !== undefined && (
              <>
                <ul>
                  {check.answers.map(({ rule, article, verdict, atLeast, recorded, needed, plies }) => (
                    <li key={rule} class={`claim-${verdict}`}>
                      <strong>{catalogue.claimRules[rule]}</strong> ({phrases.value.article(article)}):{' '}
                      {catalogue.claimVerdicts[verdict]},{' '}
                      {phrases.value.text(`claim-${rule}`, {
                        needed,
                        count:
                          atLeast === recorded
                            ? recorded
                            : phrases.value.text('claim-at-least', { certain: atLeast, recorded }),
                      })}
                      {plies.length > 0 && (
                        <>
                          {' '}
                          ({say('claim-plies')}: {plies.map((ply) => namePly(line, ply, move)).join(', ')})
                        </>
                      )}
                    </li>
                  ))}
                </ul>
                {check.doubtful.length > 0 && (
                  <p>{phrases.value.text('claim-doubtful', { plies: check.doubtful.join(', ') })}</p>
                )}
                {check.isProvisional && <p>{phrases.value.text('claim-provisional')}</p>}
                {check.isForfeited && (
                  <p>{phrases.value.text('claim-touched', { article: phrases.value.article('9.4') })}</p>
                )}
                {check.ended !== undefined && (
                  <p>
                    {phrases.value.text('claim-ended', { ending: catalogue.terminations[check.ended].name })}
                  </p>
                )}
                <p class="conclusion">
                  <strong>{phrases.value.text(isClaimable(check) ? 'claim-can' : 'claim-cannot')}</strong>
                </p>
              </>
            )}
          </div>
        </div>
      </section>
      <section aria-labelledby="mate-title">
        <h2 id="mate-title">{say('mate-title')}</h2>
        {SIDES.map((side) => (
          <MateQuestion key={side} fen={position.fen()} side={side} line={line} />
        ))}
      </section>
    </div>
  );
}

interface MateAnswer {
  readonly verdict: 'winnable' | 'unwinnable' | 'undecided';
  readonly line?: readonly string[];
}

/** Whether a side can still mate, with the line that proves it. */
function MateQuestion({
  fen,
  side,
  line,
}: {
  readonly fen: string;
  readonly side: Side;
  readonly line: GameLine;
}) {
  const [answer, setAnswer] = useState<{ fen: string; said: MateAnswer | undefined } | undefined>(undefined);
  const name = phrases.value.side(side);
  const asked = answer?.fen === fen ? answer : undefined;
  const ask = (): void => {
    setAnswer({ fen, said: undefined });
    getJson<MateAnswer>(`/api/winnable?side=${side}&fen=${encodeURIComponent(fen)}`)
      .then((said) => setAnswer({ fen, said }))
      .catch(() => setAnswer(undefined));
  };
  const sans: string[] = [];
  let { position } = line;
  for (const uci of asked?.said?.line ?? []) {
    const move = position.parseUci(uci);
    if (move === undefined) break;
    sans.push(position.san(move));
    position = position.play(move);
  }
  return (
    <div class="mate">
      {asked === undefined ? (
        <button type="button" data-mate={side} onClick={ask}>
          {say('mate-ask', { side: name.genitive })}
        </button>
      ) : asked.said === undefined ? (
        <p aria-live="polite">{say('mate-searching')} …</p>
      ) : (
        <div aria-live="polite" data-verdict={asked.said.verdict}>
          <p>
            <strong>{say(`mate-${asked.said.verdict}`, { side: name.title })}</strong>
          </p>
          {sans.length > 0 && (
            <p>
              {say('mate-line')}: {sayMoves(sans)}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
