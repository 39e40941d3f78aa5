/** Games that everybody knows, played again at the demo's boards: moves and who played them, nothing else. */
import type { GameResult } from '../../core/game-event.ts';

export interface FamousGame {
  readonly name: string;
  readonly white: string;
  readonly black: string;
  readonly site: string;
  readonly year: number;
  readonly result: GameResult;
  /** SAN, blanks between. */
  readonly moves: string;
}

/** In the order in which demo boards take them. */
export const FAMOUS_GAMES: readonly FamousGame[] = [
  {
    name: 'Opera Game',
    white: 'Morphy, Paul',
    black: 'Duke of Brunswick and Count Isouard',
    site: 'Paris',
    year: 1858,
    result: '1-0',
    moves:
      'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 ' +
      'Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#',
  },
  {
    name: 'Rubinstein’s Immortal',
    white: 'Rotlewi, Georg',
    black: 'Rubinstein, Akiba',
    site: 'Lodz',
    year: 1907,
    result: '0-1',
    moves:
      'd4 d5 Nf3 e6 e3 c5 c4 Nc6 Nc3 Nf6 dxc5 Bxc5 a3 a6 b4 Bd6 Bb2 O-O Qd2 Qe7 Bd3 dxc4 Bxc4 b5 Bd3 Rd8 Qe2 ' +
      'Bb7 O-O Ne5 Nxe5 Bxe5 f4 Bc7 e4 Rac8 e5 Bb6+ Kh1 Ng4 Be4 Qh4 g3 Rxc3 gxh4 Rd2 Qxd2 Bxe4+ Qg2 Rh3',
  },
  {
    name: 'Immortal Draw',
    white: 'Hamppe, Carl',
    black: 'Meitner, Philipp',
    site: 'Vienna',
    year: 1872,
    result: '1/2-1/2',
    moves:
      'e4 e5 Nc3 Bc5 Na4 Bxf2+ Kxf2 Qh4+ Ke3 Qf4+ Kd3 d5 Kc3 Qxe4 Kb3 Na6 a3 Qxa4+ Kxa4 Nc5+ Kb4 a5+ Kxc5 Ne7 ' +
      'Bb5+ Kd8 Bc6 b6+ Kb5 Nxc6 Kxc6 Bb7+ Kb5 Ba6+ Kc6 Bb7+',
  },
  {
    name: 'Immortal Game',
    white: 'Anderssen, Adolf',
    black: 'Kieseritzky, Lionel',
    site: 'London',
    year: 1851,
    result: '1-0',
    moves:
      'e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 ' +
      'Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#',
  },
  {
    name: 'Evergreen Game',
    white: 'Anderssen, Adolf',
    black: 'Dufresne, Jean',
    site: 'Berlin',
    year: 1852,
    result: '1-0',
    moves:
      'e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 ' +
      'Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#',
  },
  {
    name: 'Battle of Hastings',
    white: 'Steinitz, Wilhelm',
    black: 'von Bardeleben, Curt',
    site: 'Hastings',
    year: 1895,
    result: '1-0',
    moves:
      'e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 d5 exd5 Nxd5 O-O Be6 Bg5 Be7 Bxd5 Bxd5 Nxd5 Qxd5 ' +
      'Bxe7 Nxe7 Re1 f6 Qe2 Qd7 Rac1 c6 d5 cxd5 Nd4 Kf7 Ne6 Rhc8 Qg4 g6 Ng5+ Ke8 Rxe7+ Kf8 Rf7+ Kg8 Rg7+ Kh8 ' +
      'Rxh7+',
  },
  {
    name: 'Gold Coins Game',
    white: 'Levitsky, Stepan',
    black: 'Marshall, Frank',
    site: 'Breslau',
    year: 1912,
    result: '0-1',
    moves:
      'd4 e6 e4 d5 Nc3 c5 Nf3 Nc6 exd5 exd5 Be2 Nf6 O-O Be7 Bg5 O-O dxc5 Be6 Nd4 Bxc5 Nxe6 fxe6 Bg4 Qd6 Bh3 ' +
      'Rae8 Qd2 Bb4 Bxf6 Rxf6 Rad1 Qc5 Qe2 Bxc3 bxc3 Qxc3 Rxd5 Nd4 Qh5 Ref8 Re5 Rh6 Qg5 Rxh3 Rc5 Qg3',
  },
  {
    name: 'King Hunt',
    white: 'Lasker, Edward',
    black: 'Thomas, George',
    site: 'London',
    year: 1912,
    result: '1-0',
    moves:
      'd4 e6 Nf3 f5 Nc3 Nf6 Bg5 Be7 Bxf6 Bxf6 e4 fxe4 Nxe4 b6 Ne5 O-O Bd3 Bb7 Qh5 Qe7 Qxh7+ Kxh7 Nxf6+ Kh6 ' +
      'Neg4+ Kg5 h4+ Kf4 g3+ Kf3 Be2+ Kg2 Rh2+ Kg1 Kd2#',
  },
  {
    name: 'Game of the Century',
    white: 'Byrne, Donald',
    black: 'Fischer, Robert James',
    site: 'New York',
    year: 1956,
    result: '0-1',
    moves:
      'Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5 Na4 Qa3 Nxc3 bxc3 ' +
      'Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1 Nxd4+ Kg1 Ne2+ Kf1 Nc3+ Kg1 axb6 Qb4 ' +
      'Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+ Bf8 Nxe1 Bd5 Nf3 Ne4 Qb8 b5 h4 h5 Ne5 Kg7 Kg1 Bc5+ Kf1 ' +
      'Ng3+ Ke1 Bb4+ Kd1 Bb3+ Kc1 Ne2+ Kb1 Nc3+ Kc1 Rc2#',
  },
  {
    name: 'Réti’s Double Check',
    white: 'Réti, Richard',
    black: 'Tartakower, Savielly',
    site: 'Vienna',
    year: 1910,
    result: '1-0',
    moves: 'e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+ Kc7 Bd8#',
  },
];
