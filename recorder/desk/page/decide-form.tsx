/** What an arbiter decides and an operator notes: results, offers, penalties, time, publication. */
import { useEffect, useState } from 'preact/hooks';
import { PENALTY_MEASURES, type PenaltyMeasure } from '../../../core/laws/decision.ts';
import { ENDINGS, SCORES, type Score, type Termination } from '../../../core/laws/endings.ts';
import { IRREGULARITIES, type IrregularityKind } from '../../../core/laws/irregularity-kind.ts';
import { SIDES, type Side } from '../../../core/square.ts';
import type { EntryContent } from '../../entry.ts';
import type { Consequences, GameDetails } from '../model/desk-api.ts';
import { Foreseen } from './correct-form.tsx';
import { isBusy, mayEnter, sayEntry, store } from './decide.ts';
import { rowOfGame } from './game-data.ts';
import { foresee, ServerFault } from './server.ts';
import { phrases, say } from './speech.ts';

const KINDS = Object.keys(IRREGULARITIES) as IrregularityKind[];
const REASONS = (Object.keys(ENDINGS) as Termination[]).filter((reason) => reason !== 'kings');

/** A labelled list of which one is chosen. */
function Choice<T extends string>(props: {
  readonly label: string;
  readonly value: T;
  readonly of: readonly T[];
  readonly tell: (value: T) => string;
  readonly onChoose: (value: T) => void;
}) {
  const { label, value, of, tell, onChoose } = props;
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
        {of.map((name) => (
          <option key={name} value={name}>
            {tell(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

const SideChoice = ({ side, onSide }: { readonly side: Side; readonly onSide: (side: Side) => void }) => (
  <Choice
    label={say('side')}
    value={side}
    of={SIDES}
    tell={(name) => phrases.value.side(name).title}
    onChoose={onSide}
  />
);

/** One thing that is decided: its fields, a button, and what comes of it before it is stored. */
function Decision(props: {
  readonly game: GameDetails;
  readonly title: string;
  readonly button: string;
  readonly name: string;
  readonly what: EntryContent;
  readonly children?: preact.ComponentChildren;
}) {
  const { game, title, button, what, name, children } = props;
  const [asking, setAsking] = useState<string | undefined>(undefined);
  const [foreseen, setForeseen] = useState<Consequences | ServerFault | undefined>(undefined);
  const asked = JSON.stringify(what);
  useEffect(() => {
    if (asking !== asked) return undefined;
    let isCurrent = true;
    setForeseen(undefined);
    foresee(game.game, JSON.parse(asked) as EntryContent)
      .then((answer) => isCurrent && setForeseen(answer))
      .catch((error: unknown) => isCurrent && error instanceof ServerFault && setForeseen(error));
    return () => {
      isCurrent = false;
    };
  }, [asking, asked]);
  if (!mayEnter(what)) return undefined;
  return (
    <form
      class="decision"
      data-decision={name}
      onSubmit={(event) => {
        event.preventDefault();
        if (asking === asked) {
          store(game.game, what, game);
          setAsking(undefined);
        } else setAsking(asked);
      }}
    >
      <fieldset>
        <legend>{title}</legend>
        {children}
        {asking === asked ? (
          <div class="verdict" aria-live="polite">
            <p>{sayEntry(what, game)}</p>
            <Foreseen foreseen={foreseen} />
            <button type="submit" class="first" disabled={isBusy.value || foreseen instanceof ServerFault}>
              {say('save')}
            </button>{' '}
            <button type="button" onClick={() => setAsking(undefined)}>
              {say('cancel')}
            </button>
          </div>
        ) : (
          <button type="submit" disabled={isBusy.value}>
            {button} …
          </button>
        )}
      </fieldset>
    </form>
  );
}

export function DecideForm({ game, ply }: { readonly game: GameDetails; readonly ply: number }) {
  const [score, setScore] = useState<Score>('1/2-1/2');
  const [termination, setTermination] = useState<Termination>('agreement');
  const [side, setSide] = useState<Side>('white');
  const [kind, setKind] = useState<IrregularityKind>('two-hands');
  const [measure, setMeasure] = useState<PenaltyMeasure>('warning');
  const [minutes, setMinutes] = useState(2);
  const { catalogue } = phrases.value;
  const row = rowOfGame.value;
  const at = Math.max(1, ply);
  return (
    <div class="decide">
      <Decision
        game={game}
        name="result"
        title={say('result')}
        button={say('set-result')}
        what={{ type: 'result', score, termination }}
      >
        <Choice
          label={say('result')}
          value={score}
          of={SCORES}
          tell={(name) => (name === '*' ? phrases.value.text('no-result') : name)}
          onChoose={setScore}
        />
        <Choice
          label={say('termination')}
          value={termination}
          of={REASONS}
          tell={(name) => catalogue.terminations[name].name}
          onChoose={setTermination}
        />
      </Decision>
      <Decision
        game={game}
        name="draw-offer"
        title={say('draw-offer')}
        button={say('draw-offer')}
        what={{ type: 'draw-offer', side, ply: at }}
      >
        <SideChoice side={side} onSide={setSide} />
      </Decision>
      <Decision
        game={game}
        name="draw-declined"
        title={say('draw-declined')}
        button={say('draw-declined')}
        what={{ type: 'draw-declined', ply: at }}
      />
      <Decision
        game={game}
        name="irregularity"
        title={say('irregularity')}
        button={say('enter-irregularity')}
        what={{ type: 'enter', kind, side, ply: at }}
      >
        <Choice
          label={say('irregularity')}
          value={kind}
          of={KINDS}
          tell={(name) => catalogue.irregularities[name]}
          onChoose={setKind}
        />
        <SideChoice side={side} onSide={setSide} />
      </Decision>
      <Decision
        game={game}
        name="penalty"
        title={say('penalty')}
        button={say('give-penalty')}
        what={{ type: 'penalty', side, measure, ply: at }}
      >
        <Choice
          label={say('penalty')}
          value={measure}
          of={PENALTY_MEASURES}
          tell={(name) => catalogue.penaltyMeasures[name]}
          onChoose={setMeasure}
        />
        <SideChoice side={side} onSide={setSide} />
      </Decision>
      <Decision
        game={game}
        name="time-given"
        title={say('time-given')}
        button={say('give-time')}
        what={{ type: 'time-given', side, ms: Math.max(1, Math.round(minutes * 60)) * 1000, ply: at }}
      >
        <label>
          {say('minutes')}{' '}
          <input
            type="number"
            min={0.5}
            max={120}
            step={0.5}
            value={minutes}
            onInput={(event) => setMinutes(Number(event.currentTarget.value) || 1)}
          />
        </label>
        <SideChoice side={side} onSide={setSide} />
      </Decision>
      <Decision
        game={game}
        name="clocks"
        title={say('clock')}
        button={say(row?.areClocksStopped === true ? 'resume' : 'stop')}
        what={{
          type: row?.areClocksStopped === true ? 'clocks-resumed' : 'clocks-stopped',
          ply: game.plies.length,
        }}
      />
      <Decision
        game={game}
        name="hold"
        title={say('hold')}
        button={say(row?.isHeld === true ? 'release' : 'hold')}
        what={{ type: row?.isHeld === true ? 'release' : 'hold' }}
      />
    </div>
  );
}
