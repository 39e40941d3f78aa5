/** One game that came out wrong, in full, for whoever has to find out why. */
import type { PlayedGame } from '../../boards/hand/people.ts';
import { makePlacement } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import type { SensedGame } from './cells.ts';
import { type Derived, type GameScore, isSamePly, mainRecord } from './score.ts';
import { makeTraceLines } from './trace-text.ts';

/** FEN of the true position before a ply, as far as legal moves lead. */
function fenBefore(played: PlayedGame, index: number): string {
  const start = Position.fromFen(played.start, played.variant);
  if (!start.ok) return played.start;
  let position = start.value;
  for (const ply of played.plies.slice(0, index)) {
    const move = position.parseUci(ply.uci);
    if (move === undefined) return `${position.fen()} (before ${ply.san})`;
    position = position.play(move);
  }
  return position.fen();
}

/** The game's truth and record side by side from just before they part, the events about there, the flags. */
export function makeFailure(head: string, sensed: SensedGame, derived: Derived, score: GameScore): string {
  const { played, scan } = sensed;
  const record = mainRecord(derived.records);
  const plies = record?.plies ?? [];
  const count = Math.max(plies.length, played.plies.length);
  let first = 0;
  while (first < count && isSamePly(plies[first], played.plies[first])) first += 1;
  const lines = [
    `=== ${head}: ${score.pliesRight}/${score.plies} plies right, ${score.wrongConfirmed} wrong confirmed, ${score.everWrong} ever wrong, result ${record?.result ?? 'none'} (true ${played.result}), in sync ${record?.inSync}`,
    `fen: ${played.start}`,
    `truth: ${played.plies.map((ply) => ply.san).join(' ')}`,
  ];
  for (const fault of scan.faults) {
    lines.push(`fault: ${fault.type} ${fault.atMs}..${fault.untilMs} square ${fault.square ?? '-'}`);
  }
  for (const flag of played.flags)
    lines.push(`true: ${flag.word} at ply ${flag.ply}${flag.must ? ' (must)' : ''}`);
  for (const ply of played.withdrawn) lines.push(`true: withdrawn ${ply.number} ${ply.uci}`);
  // Where the plies are all right, it is the first false alarm that wants looking at.
  const alarm = first < count ? undefined : score.falseAlarms[0];
  const focus = alarm === undefined ? first : Math.min(Math.max(alarm.ply - 1, 0), count - 1);
  for (let i = Math.max(0, focus - 3); i < Math.min(count, focus + 6); i++) {
    const truth = played.plies[i];
    const ply = plies[i];
    const mark = isSamePly(ply, truth) ? ' ' : '*';
    lines.push(
      `${mark} ${i + 1}. true ${truth?.san ?? '-'} ${truth?.uci ?? ''} released ${truth?.releasedAtMs ?? '-'} pressed ${truth?.pressedAtMs ?? '-'} | got ${ply?.san ?? '-'} ${ply?.uci ?? ''} ${ply?.state ?? ''} made ${ply?.madeAtMs ?? '-'}${ply?.candidates === undefined ? '' : ` (${ply.candidates.join(' ')})`}`,
    );
  }
  lines.push(`fen before ply ${focus + 1}: ${fenBefore(played, focus)}`);
  const aboutMs = alarm?.atMs ?? Number.NaN;
  const fromMs =
    alarm !== undefined ? aboutMs - 10_000 : (played.plies[Math.max(0, focus - 2)]?.releasedAtMs ?? 0) - 2500;
  const toMs =
    alarm !== undefined
      ? aboutMs + 6000
      : (played.plies[focus + 4]?.releasedAtMs ?? Number.POSITIVE_INFINITY);
  lines.push(...makeTraceLines(scan.events, fromMs, toMs));
  for (const event of derived.outputs) {
    if (event.type === 'clock' || event.type === 'board' || event.atMs < fromMs || event.atMs > toMs + 3000)
      continue;
    if (event.type === 'flag') {
      const { code, severity, ply, detail } = event.flag;
      const isFalse = score.falseAlarms.includes(event.flag) ? ' FALSE' : '';
      lines.push(`out ${event.atMs}: flag ${code} ${severity} ply ${ply}${isFalse} ${detail ?? ''}`);
    } else if (event.type === 'ply') {
      const { san, uci, state } = event.ply;
      lines.push(
        `out ${event.atMs}: ${event.number}. ${san} ${uci} ${state}${event.amended === true ? ' AMENDED' : ''}`,
      );
    } else if (event.type === 'withdrawn') lines.push(`out ${event.atMs}: withdrawn from ${event.number}`);
    else if (event.type === 'result') lines.push(`out ${event.atMs}: result ${event.result} ${event.reason}`);
    else lines.push(`out ${event.atMs}: ${event.type}`);
  }
  if (record !== undefined) lines.push(`board: ${makePlacement(record.placement)}`);
  return lines.join('\n');
}
