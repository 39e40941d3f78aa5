import { describe, expect, it } from 'vitest';
import { alignGames, commonPlies } from './align-games.ts';

const A = 'e4 e5 Nf3 Nc6 Bb5 a6'.split(' ');
const B = 'd4 d5 c4 e6 Nc3 Nf6'.split(' ');
const C = 'c4 c5 g3 g6 Bg2 Bg7'.split(' ');

describe('records are of the games whose plies they share', () => {
  it('counts what two lists of plies have in common, in order', () => {
    expect(commonPlies(A, A)).toBe(6);
    expect(commonPlies(A, ['e5', 'a6', 'Nf3'])).toBe(2);
    expect(commonPlies(A, [])).toBe(0);
  });

  it('matches each game with its own record where all are there', () => {
    expect(alignGames([A, B, C], [A, B, C])).toEqual([0, 1, 2]);
  });

  it('does not shift the games after one that is missing', () => {
    expect(alignGames([A, B, C], [B, C])).toEqual([undefined, 0, 1]);
    expect(alignGames([A, B, C], [A, C])).toEqual([0, undefined, 1]);
  });

  it('gives a record that holds two games to the one of which it holds more', () => {
    expect(alignGames([A, B, C], [[...A.slice(0, 2), ...B], C])).toEqual([undefined, 0, 1]);
  });

  it('leaves out a record that is of no game', () => {
    expect(alignGames([A, B], [A, ['h3'], B])).toEqual([0, 2]);
  });

  it('takes a record without plies for the game in its place', () => {
    expect(alignGames([A, B, C], [[], B, C, []])).toEqual([0, 1, 2]);
    expect(alignGames([A, B, C], [A, [], C])).toEqual([0, 1, 2]);
  });
});
