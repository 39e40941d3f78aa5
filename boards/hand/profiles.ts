/**
 * Who plays, and how steady board and hands are: every probability of the simulated people in one place.
 *
 * A *habit* is how somebody normally moves; it belongs to the profile and is there at every noise level. A *mishap*
 * is something that goes wrong; its probability is multiplied by the noise level's factor, so `none` has none.
 * The rates of level `real` follow recorded board traffic (three blitz games, 458 field updates): two of three
 * captures show no lift of the victim, one ply in about fourteen shows a piece on a square it only passes, no update
 * is repeated, none is lost. What recordings do not tell (mishaps of hands) is estimated.
 */
export const PROFILES = ['classical', 'rapid', 'blitz', 'bullet', 'club', 'children'] as const;
export type Profile = (typeof PROFILES)[number];

export const NOISE_LEVELS = ['none', 'real', 'harsh'] as const;
export type NoiseLevel = (typeof NOISE_LEVELS)[number];

/** Lowest and highest of a time drawn evenly, ms. */
export type Span = readonly [low: number, high: number];

/** How the two hands of a capture follow each other. */
export const CAPTURE_ORDERS = ['victimFirst', 'swap', 'bothInAir', 'beside'] as const;
export type CaptureOrder = (typeof CAPTURE_ORDERS)[number];

export const CASTLING_ORDERS = ['kingFirst', 'together', 'rookFirst'] as const;
export type CastlingOrder = (typeof CASTLING_ORDERS)[number];

export const PROMOTION_ORDERS = ['pawnThenPiece', 'pieceFirst', 'direct'] as const;
export type PromotionOrder = (typeof PROMOTION_ORDERS)[number];

/** How somebody normally moves. */
export interface Habits {
  /** Median of the time from the opponent's press to the first touch, its spread (log-normal) and its limits. */
  readonly thinkMs: { readonly median: number; readonly sigma: number; readonly limits: Span };
  /** A piece is in the air this long. */
  readonly airMs: Span;
  /** From the hand leaving the piece to the press. */
  readonly pressMs: Span;
  /** Base time and increment of the clock; whether there is a clock at all is a probability. */
  readonly clock: { readonly baseMs: number; readonly incrementMs: number; readonly present: number };
  /** Probability that a piece that can be slid is slid over the squares between. */
  readonly slide: number;
  /** A slid piece is this long over each square. */
  readonly slideSquareMs: Span;
  /** Probability that a slide rests on one of the squares between (whether the rules let it move there or not), and how long. */
  readonly slideStop: number;
  readonly slideStopMs: Span;
  /** Weights of the orders of a capture. */
  readonly capture: Readonly<Record<CaptureOrder, number>>;
  /** In a swap the square is empty this long: shorter than a scan, so that boards often see no lift. */
  readonly swapMs: Span;
  /** Probability that the captured piece is held over an empty square while the hand leaves, and how long. */
  readonly ghost: number;
  readonly ghostMs: Span;
  readonly castling: Readonly<Record<CastlingOrder, number>>;
  /** Between the two pieces of a castling. */
  readonly castlingGapMs: Span;
  readonly promotion: Readonly<Record<PromotionOrder, number>>;
  /** A pawn waits this long on the last rank for its new piece. */
  readonly promotionMs: Span;
  /** Probability that the reply is begun after the move is made and before its press. */
  readonly replyBeforePress: number;
  /** Probability that the replying piece is lifted while the opponent's hand is still on the board, and by how much. */
  readonly overlap: number;
  readonly overlapMs: Span;
  /** Probability that a result nobody can see on the board is signalled with the kings. */
  readonly gesture: number;
  /** Between the two kings of the signal. */
  readonly gestureGapMs: Span;
}

/** What goes wrong; probability per ply at noise `real`. */
export interface Mishaps {
  /** A neighbour of the moved piece is off its square for 30 to 180 ms. */
  readonly nudge: number;
  /** The player to move lifts a piece of either colour and puts it back (j'adoube), 250 to 900 ms. */
  readonly adjust: number;
  /** The other side does so. */
  readonly adjustOutOfTurn: number;
  /** The piece is put on a wrong empty square and corrected within 1.2 s, before the press. */
  readonly fumble: number;
  /** Two to four pieces fall over, some land on wrong squares; all is put right before the press, after 1 to 5 s. */
  readonly knockOver: number;
  /** A piece is lifted (or even moved) and put back, and another one is moved: touch-move not honoured when it could have moved. */
  readonly changeOfMind: number;
  /** A piece is lifted and put back, and is moved then all the same. */
  readonly hesitation: number;
  /** Nobody presses for this ply nor for the reply. */
  readonly forgottenPress: number;
  /** The press comes only after the reply was made. */
  readonly latePress: number;
  /** The press comes up to 350 ms before the piece is put down. */
  readonly prematurePress: number;
  /** Another move is completed first, then taken back (only where no clock is on the table). */
  readonly takeBack: number;
  /** An illegal move is completed; half of them are corrected, the others answered. */
  readonly illegal: number;
  /** A captured piece is put down on an empty square and stays there past the press, 2.5 to 4 s. */
  readonly extraPiece: number;
}

/** What sensors and links do by themselves. */
export interface SensorNoise {
  /** Probability that one field update is never sent. */
  readonly lostUpdate: number;
  /** Per game: bursts of a badly placed piece going off and on. */
  readonly flickers: number;
  /** Per game: a piece vanishes from the sensor for 5 to 40 s although it stands there. */
  readonly deadSpots: number;
  /** Per game: the link is lost, and for how long. */
  readonly linkGaps: number;
  readonly linkGapMs: Span;
  /** Probability that a dump is delivered late, after updates that are newer than it. */
  readonly lateDump: number;
}

/** Multiplier of the mishaps of hands, and what sensors and links do, by level. */
export const NOISE: Readonly<Record<NoiseLevel, { readonly mishaps: number } & SensorNoise>> = {
  none: { mishaps: 0, lostUpdate: 0, flickers: 0, deadSpots: 0, linkGaps: 0, linkGapMs: [0, 0], lateDump: 0 },
  real: {
    mishaps: 1,
    lostUpdate: 0.0002,
    flickers: 0.05,
    deadSpots: 0,
    linkGaps: 0.04,
    linkGapMs: [1500, 12_000],
    lateDump: 0,
  },
  harsh: {
    mishaps: 4,
    lostUpdate: 0.003,
    flickers: 0.5,
    deadSpots: 0.05,
    linkGaps: 0.4,
    linkGapMs: [1500, 30_000],
    lateDump: 0.01,
  },
};

const CAREFUL: Habits = {
  thinkMs: { median: 14_000, sigma: 0.9, limits: [900, 70_000] },
  airMs: [350, 1100],
  pressMs: [500, 1600],
  clock: { baseMs: 5_400_000, incrementMs: 30_000, present: 1 },
  slide: 0.08,
  slideSquareMs: [50, 130],
  slideStop: 0.1,
  slideStopMs: [300, 1600],
  capture: { victimFirst: 0.3, swap: 0.45, bothInAir: 0.15, beside: 0.1 },
  swapMs: [40, 200],
  ghost: 0.06,
  ghostMs: [120, 500],
  castling: { kingFirst: 0.96, together: 0.03, rookFirst: 0.01 },
  castlingGapMs: [250, 900],
  promotion: { pawnThenPiece: 0.4, pieceFirst: 0.1, direct: 0.5 },
  promotionMs: [800, 3000],
  replyBeforePress: 0.003,
  overlap: 0.002,
  overlapMs: [20, 150],
  gesture: 0.85,
  gestureGapMs: [300, 2500],
};

/** Habits of each profile. */
export const HABITS: Readonly<Record<Profile, Habits>> = {
  classical: CAREFUL,
  rapid: {
    ...CAREFUL,
    thinkMs: { median: 5500, sigma: 0.9, limits: [500, 45_000] },
    airMs: [250, 800],
    pressMs: [350, 1000],
    clock: { baseMs: 900_000, incrementMs: 10_000, present: 1 },
    castlingGapMs: [180, 600],
    promotionMs: [500, 1800],
    replyBeforePress: 0.01,
    overlap: 0.006,
  },
  blitz: {
    ...CAREFUL,
    thinkMs: { median: 2000, sigma: 0.9, limits: [180, 16_000] },
    airMs: [160, 450],
    pressMs: [220, 550],
    clock: { baseMs: 180_000, incrementMs: 2000, present: 1 },
    slide: 0.1,
    slideSquareMs: [30, 90],
    slideStop: 0.12,
    slideStopMs: [250, 900],
    capture: { victimFirst: 0.12, swap: 0.8, bothInAir: 0.05, beside: 0.03 },
    swapMs: [10, 90],
    ghost: 0.08,
    ghostMs: [80, 350],
    castling: { kingFirst: 0.93, together: 0.06, rookFirst: 0.01 },
    castlingGapMs: [100, 350],
    promotion: { pawnThenPiece: 0.35, pieceFirst: 0.1, direct: 0.55 },
    promotionMs: [250, 1200],
    replyBeforePress: 0.05,
    overlap: 0.03,
    overlapMs: [20, 250],
    gesture: 0.7,
  },
  bullet: {
    ...CAREFUL,
    thinkMs: { median: 650, sigma: 0.7, limits: [90, 4000] },
    airMs: [110, 280],
    pressMs: [150, 320],
    clock: { baseMs: 60_000, incrementMs: 0, present: 1 },
    slide: 0.15,
    slideSquareMs: [20, 60],
    slideStop: 0.08,
    slideStopMs: [150, 450],
    capture: { victimFirst: 0.08, swap: 0.85, bothInAir: 0.05, beside: 0.02 },
    swapMs: [10, 80],
    ghost: 0.1,
    ghostMs: [60, 200],
    castling: { kingFirst: 0.85, together: 0.14, rookFirst: 0.01 },
    castlingGapMs: [60, 220],
    promotion: { pawnThenPiece: 0.2, pieceFirst: 0.1, direct: 0.7 },
    promotionMs: [150, 600],
    replyBeforePress: 0.12,
    overlap: 0.08,
    overlapMs: [20, 220],
    gesture: 0.5,
  },
  club: {
    ...CAREFUL,
    thinkMs: { median: 7000, sigma: 1, limits: [600, 50_000] },
    airMs: [300, 1600],
    clock: { baseMs: 3_600_000, incrementMs: 0, present: 0.5 },
    slide: 0.25,
    slideStop: 0.15,
    slideStopMs: [300, 2500],
    castling: { kingFirst: 0.9, together: 0.03, rookFirst: 0.07 },
    castlingGapMs: [250, 1500],
    replyBeforePress: 0.02,
    overlap: 0.01,
    gesture: 0.6,
  },
  children: {
    ...CAREFUL,
    thinkMs: { median: 4000, sigma: 1, limits: [250, 40_000] },
    airMs: [250, 2500],
    pressMs: [300, 2500],
    clock: { baseMs: 1_500_000, incrementMs: 5000, present: 1 },
    slide: 0.35,
    slideSquareMs: [60, 220],
    slideStop: 0.2,
    slideStopMs: [300, 2500],
    capture: { victimFirst: 0.4, swap: 0.25, bothInAir: 0.2, beside: 0.15 },
    ghost: 0.15,
    ghostMs: [150, 900],
    castling: { kingFirst: 0.85, together: 0.03, rookFirst: 0.12 },
    castlingGapMs: [400, 2500],
    promotion: { pawnThenPiece: 0.6, pieceFirst: 0.15, direct: 0.25 },
    promotionMs: [800, 6000],
    replyBeforePress: 0.03,
    overlap: 0.015,
    gesture: 0.6,
  },
};

const STEADY: Mishaps = {
  nudge: 0.008,
  adjust: 0.003,
  adjustOutOfTurn: 0.001,
  fumble: 0.001,
  knockOver: 0.0002,
  changeOfMind: 0.0003,
  hesitation: 0.002,
  forgottenPress: 0.001,
  latePress: 0.0005,
  prematurePress: 0,
  takeBack: 0,
  illegal: 0.00002,
  extraPiece: 0.0003,
};

/** Mishaps of each profile, probability per ply at noise `real`. */
export const MISHAPS: Readonly<Record<Profile, Mishaps>> = {
  classical: STEADY,
  rapid: { ...STEADY, nudge: 0.012, fumble: 0.002, knockOver: 0.0004, latePress: 0.001, illegal: 0.00005 },
  blitz: {
    ...STEADY,
    nudge: 0.025,
    adjust: 0.002,
    fumble: 0.004,
    knockOver: 0.001,
    forgottenPress: 0.002,
    latePress: 0.003,
    prematurePress: 0.002,
    illegal: 0.0002,
  },
  bullet: {
    ...STEADY,
    nudge: 0.04,
    adjust: 0.0005,
    fumble: 0.008,
    knockOver: 0.002,
    forgottenPress: 0.003,
    latePress: 0.006,
    prematurePress: 0.006,
    illegal: 0.0004,
  },
  club: {
    ...STEADY,
    nudge: 0.012,
    adjust: 0.004,
    fumble: 0.003,
    changeOfMind: 0.003,
    hesitation: 0.006,
    forgottenPress: 0.008,
    latePress: 0.003,
    takeBack: 0.003,
    illegal: 0.0002,
  },
  children: {
    ...STEADY,
    nudge: 0.025,
    adjust: 0.006,
    adjustOutOfTurn: 0.003,
    fumble: 0.006,
    knockOver: 0.0015,
    changeOfMind: 0.006,
    hesitation: 0.01,
    forgottenPress: 0.012,
    latePress: 0.004,
    illegal: 0.0008,
    extraPiece: 0.001,
  },
};
