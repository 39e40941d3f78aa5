import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImport } from '../../../recorder/import/read-file.ts';
import { openTournamentStore } from '../../../recorder/store/tournament-store.ts';
import { describeChanges } from '../../../recorder/tournament/describe-change.ts';
import { planImport } from '../../../recorder/tournament/plan-import.ts';
import {
  areNearNames,
  areSimilarNames,
  foldName,
  isNobody,
} from '../../../recorder/tournament/player-name.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A tournament into which lists are imported one after the other; tells what each changes. */
function createDesk() {
  const store = openTournamentStore(join(temporaryFolder(), 'games.sqlite'));
  return {
    take(text: string, options: { whole?: boolean; round?: number } = {}): string[] {
      const read = readImport(new TextEncoder().encode(text), 'list', options);
      const before = store.read();
      const { changes } = planImport(before, read, options);
      store.apply(changes, { by: 'test', wallMs: 0 });
      return describeChanges(before, changes);
    },
    read: () => store.read(),
    close: () => store.close(),
  };
}

const HEAD = 'Round,Board,White,White FIDE ID,White Elo,Black,Black FIDE ID,Result\n';

describe('planImport', () => {
  it('knows a player by the FIDE id whatever the name, and never takes two for one', () => {
    const desk = createDesk();
    desk.take(
      `${HEAD}1,1,"Ivanova, Anna",1,2000,"Petrova, Olga",2,\n1,2,"Ivanova, Alla",3,1900,"Sidorova, Ida",4,\n`,
    );
    expect(desk.take(`${HEAD}2,1,"Kuznetsova, Anna",1,,"Ivanova, A",3,\n`)).toEqual([
      '~ player Ivanova, Anna: name Ivanova, Anna -> Kuznetsova, Anna',
      '+ 2.1: Ivanova, Anna - Ivanova, Alla',
    ]);
    // Without a number an initial may be either's: it is somebody new until somebody says who.
    const other = createDesk();
    other.take(`${HEAD}1,1,"Ivanova, Anna",,,"Ivanova, Alla",,\n`);
    expect(other.take(`${HEAD}2,1,"Ivanova, A",,,"Bird, Eva",,\n`)).toContain('+ player Ivanova, A');
    desk.close();
    other.close();
  });

  it('loses nothing that a list does not say, and takes no result back', () => {
    const desk = createDesk();
    desk.take(`${HEAD}1,1,"Anand, Vera",1,2400,"Bird, Olga",2,1-0\n`);
    expect(desk.take(`${HEAD}1,,"Anand, V",,,"Bird, Olga",,\n`)).toEqual([]);
    expect(
      desk.take('[Round "1"]\n[White "Anand, Vera"]\n[Black "Bird, Olga"]\n[Result "*"]\n\n*\n'),
    ).toEqual([]);
    expect(desk.read().pairings[0]).toMatchObject({
      board: 1,
      white: { fideId: 1, rating: 2400 },
      results: [{ score: '1-0' }],
    });
    desk.close();
  });

  it('leaves pairings that a part of a list does not name, and withdraws them when it is the whole', () => {
    const desk = createDesk();
    desk.take(`${HEAD}1,1,A A,,,B B,,\n1,2,C C,,,D D,,\n`);
    expect(desk.take(`${HEAD}1,1,A A,,,B B,,\n`)).toEqual([]);
    expect(desk.take(`${HEAD}1,1,A A,,,B B,,\n`, { whole: true })).toEqual(['- 1.2: C C - D D']);
    expect(desk.take(`${HEAD}1,1,A A,,,B B,,\n1,2,C C,,,D D,,\n`)).toEqual(['+ 1.2: C C - D D (again)']);
    desk.close();
  });

  it('takes the pairs of an engine for the players with these starting ranks', () => {
    const desk = createDesk();
    const player = (number: number, name: string): string => `001 ${String(number).padStart(4)}      ${name}`;
    desk.take([player(1, 'Anand, Vera'), player(2, 'Bird, Olga'), player(3, 'Cox, Ida')].join('\n'));
    expect(desk.take('3\n2 1\n3 0\n9 3\n', { round: 4 })).toEqual([
      '+ 4.1: Bird, Olga - Anand, Vera',
      '+ 4.-: Cox, Ida - nobody',
    ]);
    expect(desk.take('2\n1 2\n3 0\n', { round: 4 })).toEqual([
      '~ 4.1: Bird, Olga - Anand, Vera -> 4.1: Anand, Vera - Bird, Olga',
    ]);
    desk.close();
  });

  it('keeps the game of a table when somebody takes the place of a player', () => {
    const desk = createDesk();
    desk.take(`${HEAD}1,1,"Anand, Vera",1,,"Bird, Olga",2,\n`);
    const [before] = desk.read().pairings;
    expect(desk.take(`${HEAD}1,1,"Anand, Vera",1,,"Cox, Ida",3,\n`)).toEqual([
      '+ player Cox, Ida',
      '~ 1.1: Anand, Vera - Bird, Olga -> 1.1: Anand, Vera - Cox, Ida',
    ]);
    expect(desk.read().pairings.map(({ token }) => token)).toEqual([before!.token]);
    desk.close();
  });
});

describe('names', () => {
  it.each([
    ['Müller, Änne', 'anne muller'],
    ['Łuczak, Paweł', 'Pawel LUCZAK'],
    ['Ёлкин, Пётр', 'пётр ёлкин'],
  ])('%s is %s', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it('may be shortened or misspelt, and are not anybody', () => {
    expect(areSimilarNames('Carlsen, M', 'Carlsen, Magnus')).toBe(true);
    expect(areSimilarNames('C. M.', 'Carlsen, Magnus')).toBe(false);
    expect(areNearNames('Kowalska, Anna', 'Kowalsky, Anna')).toBe(true);
    expect(areNearNames('Li, Na', 'Lu, Di')).toBe(false);
    expect(['bye', 'BYE', '-', '', 'spielfrei'].every(isNobody)).toBe(true);
    expect(isNobody('Byeong, Kim')).toBe(false);
  });
});
