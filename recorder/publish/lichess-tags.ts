import type { PgnHeaders } from '../pgn/writer.ts';

/** Names by which lichess takes a side for nobody, and so drops the game (broadcast-pgn-trf 1.4). */
const isNobody = (name: string): boolean => [...name].length <= 1 || /^(bye|unknown)$/i.test(name);

/** Up to this number lichess takes the seconds of a time control for minutes (1.6). */
const MINUTES_UP_TO = 180;

/** Tags of a game as lichess understands them: both sides have a name, and no time control is taken for another. */
export function makeLichessTags(tags: PgnHeaders): PgnHeaders {
  const { TimeControl: control, ...rest } = tags;
  const named = (side: 'White' | 'Black'): string => {
    const name = (tags[side] ?? '').trim();
    return isNobody(name) ? `${side}, table ${tags.Board ?? '?'}` : name;
  };
  const base = /\d+/.exec(control ?? '')?.[0];
  const isMisread = base !== undefined && Number(base) <= MINUTES_UP_TO && !(control ?? '').includes('/');
  return {
    ...rest,
    ...(control !== undefined && !isMisread && { TimeControl: control }),
    White: named('White'),
    Black: named('Black'),
  };
}
