import type { Fault } from './result.ts';

/** What a code means and what its reader can do about it. `{word}` stands for a value of the error's context. */
export interface FaultEntry {
  readonly meaning: string;
  readonly cure: string;
}

/** Every coded failure: the command line prints this table, and the README's troubleshooting is tested against it. */
export const FAULTS = {
  LINK_BUSY: {
    meaning: 'another program holds the port {device}',
    cure: 'Close the other program that talks to the board (a second recorder, LiveChess, a terminal), then try again. `fuser {device}` names it.',
  },
  LINK_PERMISSION: {
    meaning: 'you may not open {device}; it belongs to the group {group}',
    cure: 'Join the group: `sudo usermod -aG {group} $USER`, then log out and in again.',
  },
  LINK_UDEV: {
    meaning: 'you may not open {device}: no rule of this system gives it to you',
    cure: 'Install the rules once: `npx jadoube doctor --udev-rules > rules`, `sudo cp rules /etc/udev/rules.d/70-jadoube.rules`, then `sudo udevadm control --reload`, and plug the board in again.',
  },
  LINK_BLUETOOTH: {
    meaning: 'Bluetooth cannot be used on this machine: {detail}',
    cure: 'Switch Bluetooth on (Linux: `rfkill unblock bluetooth`). On Linux it is reached through BlueZ, which needs no rights, when `sudo apt install bluez` and `sudo systemctl enable --now bluetooth` are done; else past it, by root or with the capability `CAP_NET_RAW` (in a unit of systemd: `AmbientCapabilities=CAP_NET_RAW CAP_NET_ADMIN`). Boards on a cable need none of it.',
  },
  LINK_GONE: {
    meaning: 'there is no device or server behind {device}, or it went away',
    cure: 'Check cable, power and address. The recorder keeps trying and goes on with the same game when the board is back, also under another port name.',
  },
  LINK_SILENT: {
    meaning: 'the link {device} is open and the board does not answer',
    cure: 'Check that the board has power and that the right kind of board was named; unplug it and plug it in again.',
  },
  LINK_FOREIGN: {
    meaning: 'what answers at {device} is not the board that was named',
    cure: 'Name the right kind of board or the right port; `jadoube boards` lists what was found and why.',
  },
  LINK_SHARED: {
    meaning: 'several boards answer at {device}',
    cure: 'Boards that share one serial line are named as a line: `--board dgt-bus=serial:PORT` (or dgt-bus=tcp://HOST:PORT).',
  },
  LINK_NOISY: {
    meaning: '{board} sends what makes no message: {bytes} bytes in {seconds} seconds',
    cure: 'Look at its cable and plug, and for another board of another kind on the same line. Everything is kept; its game shows what could be understood, the other boards are not affected.',
  },
  LINK_FLOODED: {
    meaning:
      '{board} says more than a game can bring: {changes} changes of squares, {bytes} bytes in {seconds} seconds',
    cure: 'Switch the board off and on; when it goes on, a sensor is broken: exchange the board (`jadoube event swap`). Compare its game with the scoresheets; the other boards are not affected.',
  },
  COMMAND_AWAY: {
    meaning: 'the board {board} is not connected: nothing was sent to it',
    cure: '`jadoube boards` lists the boards and their names; plug it in and try again.',
  },
  COMMAND_UNSUPPORTED: {
    meaning: 'the board {board} cannot do that',
    cure: 'Look up the board in the README: not every board has lights, not every clock takes texts or times.',
  },
  COMMAND_REFUSED: {
    meaning: 'the board {board} refused the command',
    cure: 'A clock takes times only in its mode for electronic boards (DGT 3000: 25, DGT XL: 23): choose it on the clock, then try again.',
  },
  COMMAND_UNANSWERED: {
    meaning: 'the board {board} did not say whether it obeyed',
    cure: 'Look at the clock or the board. Check that the clock is on and its cable is in, then try again.',
  },
  LINK_ADDRESS: {
    meaning: '"{address}" is no address of a board',
    cure: 'Write KIND=LINK, for example dgt=serial:/dev/ttyUSB0, dgt=serial:COM10 or dgt=tcp://192.168.1.20:4001.',
  },
  LINK_UNSUPPORTED: {
    meaning: 'this system cannot open {device}',
    cure: 'The module for this kind of link is missing or does not fit this system: run `npm ci` again, then `jadoube doctor`.',
  },
  FRAME_GARBAGE: {
    meaning: 'bytes arrived that begin no message',
    cure: 'Harmless when rare (plugging in, noise). When frequent: another cable, another USB port, no hub without power.',
  },
  FRAME_HEADER: {
    meaning: 'a message head carries an impossible type or length',
    cure: 'Harmless when rare. When frequent: another cable, another USB port, no hub without power.',
  },
  FRAME_TRUNCATED: {
    meaning: 'a message broke off before its end',
    cure: 'Harmless when rare. When frequent: another cable, another USB port, no hub without power.',
  },
  FRAME_CHECKSUM: {
    meaning: 'the checksum of a message is wrong',
    cure: 'Harmless when rare. When frequent: another cable, another USB port, no hub without power.',
  },
  FRAME_VALUE: {
    meaning: 'a message carries a value that cannot be',
    cure: 'Harmless when rare. When frequent: please report it with a capture (`record --capture`).',
  },
  STORE_NEWER_SCHEMA: {
    meaning: 'the database {file} was written by a newer version; it was not touched',
    cure: 'Update this program, or name another file with --db.',
  },
  STORE_LOCKED: {
    meaning: 'another recorder is writing to the database {file}',
    cure: 'Stop the other recorder, or name another file with --db.',
  },
  STORE_CORRUPT: {
    meaning: '{file} is damaged or no database of this program',
    cure: 'Keep the file, name another one with --db, and restore from a copy or from the captures.',
  },
  STORE_DAMAGED: {
    meaning: 'a part of the database {file} is damaged',
    cure: '`jadoube repair --db {file}` puts the file aside and saves everything that can be read of it; `record` and `serve` do so by themselves. Then look at the disk.',
  },
  STORE_FULL: {
    meaning: 'there is no room left on the disk of {file}',
    cure: 'Free some space; the recorder keeps what it cannot write and goes on.',
  },
  STORE_READONLY: {
    meaning: '{file} or its folder cannot be written',
    cure: 'Correct owner and permissions of file and folder, or name another file with --db.',
  },
  STORE_DISK: {
    meaning: 'the disk under {file} reports errors',
    cure: 'Copy the file to another disk and name it with --db; the recorder keeps what it cannot write and tries again.',
  },
  STORE_MIGRATION_CHANGED: {
    meaning: 'a migration that was applied to {file} differs from the one this program carries',
    cure: 'Use the version that wrote the file; do not edit migrations.',
  },
  HOST_STALLED: {
    meaning:
      'this program stood still for {seconds} seconds: the computer was asleep or overloaded, or its disk did not answer',
    cure: 'What was played meanwhile is asked of the boards: look at games with missed plies. Switch off energy saving, close other programs, look at the disk.',
  },
  CLOCK_STEPPED: {
    meaning:
      'the clock of this computer was set {direction} by {seconds} seconds, or the computer was asleep',
    cure: 'Games, their clock times and their order do not hang on it; times of day on reports do. Let the system keep its clock right (NTP), and switch off energy saving.',
  },
  FILE_UNREADABLE: {
    meaning: 'the file {file} cannot be read',
    cure: 'Check name and permissions.',
  },
  FILE_UNWRITABLE: {
    meaning: 'the file {file} cannot be written',
    cure: 'Correct owner and permissions of file and folder, free some space, or name another file.',
  },
  CONFIG_SYNTAX: {
    meaning: '{file}, line {line}: this is no TOML',
    cure: 'Correct the line; `jadoube config example` prints a whole file to copy from.',
  },
  CONFIG_INVALID: {
    meaning: '{file}, line {line}: the setting {field} cannot be used',
    cure: 'Correct it, then `jadoube config check`; `jadoube config example` lists all settings with their defaults.',
  },
  SECRET_UNREADABLE: {
    meaning: 'the secret {reference} cannot be read',
    cure: 'Set the variable that env: names, or correct name and permissions of the file behind file:.',
  },
  SERVICE_FAILED: {
    meaning: 'the part {service} of the program has failed; recording goes on',
    cure: 'It is started again by itself. When it happens again, please report it with the log (`recorder.log` in the settings).',
  },
  CAPTURE_SYNTAX: {
    meaning: 'the capture {file} has a line that cannot be understood',
    cure: 'Look at the line that is named; a capture is one JSON object a line and begins with {"jadoube":1,...}.',
  },
  TRACE_SYNTAX: {
    meaning: 'the trace {file} has a word that cannot be understood',
    cure: 'Look at the word that is named and correct it.',
  },
  FILE_KIND: {
    meaning: 'the file {file} is of no kind that can be replayed',
    cure: 'Captures end in .ndjson, raw bytes in .bin, traces in .trace.',
  },
  FILE_TOO_LARGE: {
    meaning: 'the file {file} is too large to be read at once',
    cure: 'Cut it at the games and replay the parts one by one.',
  },
  FEN_SYNTAX: {
    meaning: 'the position {fen} cannot be read',
    cure: 'Write a FEN with six fields, as a chess program prints it; `unwinnable` takes the first four as well.',
  },
  FEN_ILLEGAL: {
    meaning: 'no game can begin from the position {fen}',
    cure: 'Check the kings, the pawns on the first and last rank, and whose move it is.',
  },
  ARGUMENT_INVALID: {
    meaning: 'an argument cannot be understood',
    cure: 'See `jadoube help` for the commands and their options.',
  },
  GAME_UNKNOWN: {
    meaning: 'there is no game {game} in {file}',
    cure: '`jadoube games` lists the games of a database with their numbers.',
  },
  BOARD_NOT_RECORDED: {
    meaning: 'no game of a board called "{board}" is in {file}',
    cure: '`jadoube games` lists the games of a database with the boards on which they were played.',
  },
  PLY_UNKNOWN: {
    meaning: 'the game has no ply {ply}',
    cure: 'Name a ply by its number (23), or by its move: 12. for the move of White, 12... for that of Black; the record has {plies} plies.',
  },
  MOVE_ILLEGAL: {
    meaning: '{move} is no legal move as {place}',
    cure: 'Write SAN or UCI of a move that is legal there (Nf3, g1f3). One that was really played although it is illegal is written with an exclamation mark and its squares: !e1g1.',
  },
  IRREGULARITY_UNKNOWN: {
    meaning: 'no such irregularity was seen: {what}',
    cure: '`jadoube decisions GAME` lists what was seen; what no sensor saw is entered: `jadoube decide GAME enter KIND --ply PLY`.',
  },
  DECISION_UNKNOWN: {
    meaning: 'there is no decision {id} of this game that could be undone',
    cure: '`jadoube decisions GAME` lists the decisions of a game with their numbers. What was undone is decided anew.',
  },
  DECISION_REFUSED: {
    meaning: 'nothing would come of the decision: {why}',
    cure: 'Compare the game (`jadoube export --all --game {game}`); derive it anew when the program has changed (`jadoube rederive --apply`), or correct it from an earlier ply with --all.',
  },
  RELAY_AWAY: {
    meaning: 'the stream of the event at {server} cannot be reached',
    cure: 'Check network, address, and that `nats-server` runs there with JetStream (`-js`). Recording goes on meanwhile; what waits is sent when it is back.',
  },
  RELAY_NAME: {
    meaning: '"{name}" cannot name an event or an edge',
    cure: 'Use up to 64 letters, digits, "-" and "_": hall-1.',
  },
  RELAY_STORE: {
    meaning:
      "the database {file} keeps what other halls have recorded: it is a hub's, and cannot be an edge's",
    cure: 'Give the edge a database of its own: `[recorder] db` in its settings, or `--db FILE`. Nothing in this one was changed.',
  },
  RELAY_MESSAGE: {
    meaning: 'a message of the stream cannot be used: {detail}',
    cure: 'Update the programs at the tables and at the hub to the same version; nothing of what a table recorded is lost, it stays in its own database.',
  },
  RELAY_SILENT: {
    meaning: 'nothing has been heard of {edge} for {seconds} seconds',
    cure: 'Check its network and whether it runs. It goes on recording by itself, and its games go on here when it is back.',
  },
  IMPORT_KIND: {
    meaning: 'the file {file} is no list of pairings that is known',
    cure: 'Export PGN with tags only (as for LiveChess), TRF16, TRF26, the pairs of JaVaFo or bbpPairings, a .tdf of Vega, or CSV with the columns Round, Board, White, Black.',
  },
  IMPORT_ROUND: {
    meaning: 'the file {file} does not say of which round its pairs are',
    cure: 'Say it with --round.',
  },
  IMPORT_LINE: {
    meaning: 'a line of a list of pairings was left out or completed',
    cure: 'Look at the line that is named; everything else was read.',
  },
  TOURNAMENT_CHANGED: {
    meaning: 'somebody else has changed the tournament in {file} meanwhile; nothing was done',
    cure: 'Look at it again (`jadoube event status`) and repeat the change.',
  },
  SIGNATURE_MISSING: {
    meaning: 'nobody has signed the decision',
    cure: 'Say who decides with --by NAME.',
  },
  TIME_CONTROL_SYNTAX: {
    meaning: 'the time control "{control}" cannot be understood',
    cure: 'Write it as PGN does, in seconds: 5400+30, 40/7200+30:1800+30, 300; 300,180 where White and Black have different ones.',
  },
  BOARD_UNKNOWN: {
    meaning: 'there is no kind of board called "{board}"',
    cure: 'Known kinds: {known}.',
  },
  LANGUAGE_UNKNOWN: {
    meaning: 'messages do not exist in the language "{language}"',
    cure: 'Known languages: {known}.',
  },
  CAPTURE_DIR_UNWRITABLE: {
    meaning: 'captures cannot be written to the folder {file}',
    cure: 'Correct owner and permissions of the folder, free some space, or name another one with --capture.',
  },
  PGN_DIR_UNWRITABLE: {
    meaning: 'games cannot be written to the folder {file}',
    cure: 'Correct owner and permissions of the folder, free some space, or name another one with --pgn.',
  },
  HTTP_PORT_BUSY: {
    meaning: 'another program listens on port {port} of {host}',
    cure: 'Close the other program (a second recorder, LiveChess), or choose another port.',
  },
  HTTP_PORT_DENIED: {
    meaning: 'this user may not listen on port {port} of {host}',
    cure: 'Choose a port above 1023.',
  },
  HTTP_ADDRESS_UNKNOWN: {
    meaning: 'this machine has no address {host}',
    cure: 'Name 127.0.0.1 for programs on this machine only, 0.0.0.0 for all networks, or one of the addresses of this machine.',
  },
  REQUEST_INVALID: {
    meaning: 'the request cannot be understood: {why}',
    cure: 'Compare it with what the README says of this address.',
  },
  REQUEST_SIGN_IN: {
    meaning: 'nobody is signed in',
    cure: 'Sign in and ask again.',
  },
  SIGN_IN_WRONG: {
    meaning: 'name and password do not belong together',
    cure: 'Check both, capitals included; the names that may sign in stand in the configuration.',
  },
  DESK_PASSWORD_MISSING: {
    meaning: 'the desk would be open to everybody who can reach {host}',
    cure: 'Add accounts with passwords (`jadoube password` makes them), or let the desk listen on 127.0.0.1.',
  },
  DESK_PAGE_MISSING: {
    meaning: 'the page of the desk has not been built',
    cure: 'Run `npm run build:desk`.',
  },
  REQUEST_FORBIDDEN: {
    meaning: 'this may not be asked from here: {why}',
    cure: 'Sign in with the rights it needs, or list the site in the configuration.',
  },
  REQUEST_NOT_FOUND: {
    meaning: 'there is nothing at {path}',
    cure: 'Check the address; what has not been published yet is not there.',
  },
  REQUEST_STALE: {
    meaning: 'it has changed since it was looked at',
    cure: 'Look at it as it is now and decide again.',
  },
  REQUEST_TOO_LARGE: {
    meaning: 'the request is larger than is read here',
    cure: 'Send less at once.',
  },
  REQUEST_HOST: {
    meaning: 'this server is not asked under the name {host}',
    cure: 'Ask it by its address or as localhost, or list the name under `hosts` in the configuration.',
  },
  REQUEST_TOO_OFTEN: {
    meaning: 'too many requests come from this address',
    cure: 'Wait a minute; ask less often.',
  },
  LICHESS_TOKEN: {
    meaning: 'lichess does not accept the token for the round {round} at {url}',
    cure: 'Make a token with the scope study:write for the account that owns the broadcast, and put it where the setting `token` points; it is read again with every push.',
  },
  LICHESS_ROUND: {
    meaning: 'there is no broadcast round {round} at {url}',
    cure: 'Copy the id of the round (not of the broadcast) from the end of its address: eight characters.',
  },
  LICHESS_REFUSED: {
    meaning: 'lichess does not take the games of round {round}',
    cure: 'Read what it says; a round that has a source address of its own takes no pushed games.',
  },
  LICHESS_BUSY: {
    meaning: 'lichess asks to be left alone for a minute (round {round})',
    cure: 'Nothing needs to be done; the newest games are pushed after it.',
  },
  LICHESS_UNREACHABLE: {
    meaning: 'lichess cannot be reached at {url} (round {round})',
    cure: 'Check the connection to the internet; the newest games are pushed as soon as it is back.',
  },
  LICHESS_GAME_REFUSED: {
    meaning: 'lichess has refused the game {game}',
    cure: 'Compare its moves with the score sheet (`jadoube decide GAME correct ...`); the other games go on.',
  },
  LICHESS_AHEAD: {
    meaning: 'lichess shows {shown} plies of the game {game}, which has ended after {plies}',
    cure: 'Moves that were taken back stay there: empty the round on lichess (`Reset`), then start `serve` again, which pushes all of it.',
  },
  LICHESS_TOO_MANY: {
    meaning: 'round {round} has {games} games, and lichess shows 100',
    cure: 'Make a second broadcast round, and publish the tables above 100 there from a second folder.',
  },
  UPLOAD_FAILED: {
    meaning: 'the server {url} does not take the games',
    cure: 'Check host, port, account, password or key, and that the folder exists and may be written; it is tried again all the time.',
  },
  UPLOAD_HOST_KEY: {
    meaning: '{url} shows another host key than the settings name: {found}',
    cure: 'Ask who runs the server whether its key has changed; then set `host-key` to it. Nothing was sent.',
  },
  HOOK_FAILED: {
    meaning: 'the command {command} has failed',
    cure: 'Run it by hand with a PGN file on its standard input; it is run again until it ends with status 0.',
  },
  SERVER_FAULT: {
    meaning: 'a mistake of this program stands in the way',
    cure: 'Please report it with what was asked; the log has the details.',
  },
} as const satisfies Record<string, FaultEntry>;

export type FaultCode = keyof typeof FAULTS;

/** What a failure concerns: device, group, address, file, line and so on, by name. */
export type FaultContext = Readonly<Record<string, string | number>>;

const fill = (text: string, context: FaultContext): string =>
  text.replace(/\{([a-z]+)\}/g, (_, name: string) => String(context[name] ?? `<${name}>`));

/** Says what a code means, with the values of the context in place; a value that is missing reads `<name>`. */
export const meaningOf = (code: FaultCode, context: FaultContext = {}): string =>
  fill(FAULTS[code].meaning, context);

/** Says what its reader can do about a code, with the values of the context in place. */
export const cureOf = (code: FaultCode, context: FaultContext = {}): string =>
  fill(FAULTS[code].cure, context);

/**
 * The world failed (port gone, permission, disk full): a code from `FAULTS`, what it concerns, and the cause. The
 * context value `detail` is added to the message as it is.
 */
export class BoardError extends Error {
  readonly code: FaultCode;
  readonly context: FaultContext;

  constructor(code: FaultCode, context: FaultContext = {}, cause?: unknown) {
    const { detail } = context;
    super(
      `${code}: ${meaningOf(code, context)}${detail === undefined ? '' : ` (${detail})`}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'BoardError';
    this.code = code;
    this.context = context;
  }

  /** What the reader can do about it. */
  get cure(): string {
    return cureOf(this.code, this.context);
  }

  /** The same failure as a value, for streams that do not end of it. */
  toFault(): Fault {
    return { code: this.code, message: this.message };
  }
}

/** Whether a caught value is a `BoardError`, optionally of one of the given codes. */
export const isBoardError = (error: unknown, ...codes: FaultCode[]): error is BoardError =>
  error instanceof BoardError && (codes.length === 0 || codes.includes(error.code));

/** Whether a text is one of the codes of `FAULTS`. */
export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code);
