import { Command, CommanderError, Option } from 'commander';
import { readVersion } from '../version.ts';
import { makeDecideHelp } from './decision-words.ts';
import type { Io } from './io.ts';
import { DEFAULT_PGN } from './pgn-default.ts';
import { ArgumentError, statusOf } from './print-fault.ts';
import { addSettingFlags } from './setting-flags.ts';

export { createIo } from './io.ts';

/** Where games go when nobody says otherwise: the folder in which the program is started. */
const DEFAULT_DB = 'jadoube.sqlite';

const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

/**
 * Runs one command and returns its exit status: 0 done, 1 the world failed or something needs doing, 2 the arguments
 * cannot be understood. Each command loads only what it needs.
 */
export async function runJadoube(argv: readonly string[], io: Io): Promise<number> {
  let status = 0;
  const program = createProgram(io, (result) => {
    status = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) return statusOf(io, error);
    // Help and version were asked for; anything else commander throws is about the arguments.
    if (error.exitCode === 0) return 0;
    const text = error.message.replace(/^error: /, '').replace(/\s+/g, ' ');
    return statusOf(io, new ArgumentError(text === '(outputHelp)' ? 'a command is missing' : text));
  }
}

function createProgram(io: Io, done: (status: number) => void): Command {
  const program = new Command('jadoube')
    .description('Driver and game recorder for electronic chessboards: the right game, or an honest doubt.')
    .version(readVersion(), '--version', 'print the version')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => void io.out.write(text),
      // Said once, by whoever catches it.
      writeErr: () => {},
    });
  program.helpCommand('help [command]', 'say how a command is used');

  const db = () => new Option('--db <file>', 'database of games').default(DEFAULT_DB);
  const supervision = () =>
    new Option('--supervision <regime>', 'full (competition rules) or limited (A.5, too few arbiters)');
  const rate = () => new Option('--rate <rate>', 'standard, rapid or blitz, where no time control tells it');
  const drawFrom = () =>
    new Option(
      '--draw-from <moves>',
      'no draw by agreement before each player has made so many moves (9.1.1)',
    );
  const defaultMinutes = () =>
    new Option(
      '--default-minutes <minutes>',
      'a player who comes later than that after the beginning loses (6.7)',
    );
  const json = () => new Option('--json', 'one JSON object a line');
  const lang = () =>
    new Option(
      '--lang <code>',
      'language of messages: en, ru, be; that of LC_ALL, LC_MESSAGES, LANG when absent',
    );
  const onlyBoard = () => new Option('--board <id>', 'games of one board only, as `games` names it');

  program
    .command('boards')
    .description('list what is plugged in, and why it is thought to be a board or not')
    .option('--kinds', 'list the kinds of board this program knows')
    .addOption(json())
    .action(async (options) => done(await (await import('./boards.ts')).runBoards(options, io)));

  program
    .command('stored-games')
    .description('fetch the games a board has recorded by itself, each into a file that replay reads')
    .option('--board <kind=link>', 'the board, when it is not the only one found')
    .option('--out <dir>', 'folder for the files', DEFAULT_PGN)
    .option('--delete', 'delete each game from the board once its file is on the disk, and go on to the next')
    .action(async (options) => done(await (await import('./stored-games.ts')).runStoredGames(options, io)));

  program
    .command('clock')
    .description(
      'tell the clock of a board: version, show TEXT, clear, set LEFT [RIGHT] (h:mm:ss, as seen from its front)',
    )
    .argument('<board>', 'the board by its link (dgt=serial:/dev/ttyUSB0) or its name (dgt-12345)')
    .argument('<what>', 'version, show, clear or set')
    .argument('[words...]', 'the text, or the times')
    .option('--run <side>', 'with set: the side that runs, left or right; the clock stands when absent')
    .option('--beep', 'with show: a short sound')
    .action(async (board: string, what: string, words: string[], options) =>
      done(await (await import('./clock.ts')).runClock(board, what, words, options, io)),
    );

  program
    .command('record')
    .description('record the games on all boards found, or on the boards named')
    .addOption(
      new Option(
        '--board <kind=link>',
        'a board by its link, repeatable: dgt=serial:/dev/ttyUSB0, dgt=tcp://host:port',
      ).argParser(collect),
    )
    .addOption(db())
    .addOption(
      new Option('--pgn <dir>', 'folder for PGN files, written while the games go on').default(DEFAULT_PGN),
    )
    .option('--no-pgn', 'write no PGN files')
    .option('--capture <dir>', 'folder for captures of all that passes over the links')
    .option('--fen <fen>', 'games begin from this position')
    .option('--variant <name>', 'standard or chess960', 'standard')
    .option(
      '--time-control <control>',
      "time control of the event as PGN writes it, in seconds: 5400+30, 40/7200+30:1800+30; White's,Black's where they differ",
    )
    .addOption(supervision())
    .addOption(rate())
    .addOption(drawFrom())
    .addOption(defaultMinutes())
    .option('--log <file>', 'file for a log of links, messages and failures')
    .option('--lights', 'boards with lights show the squares that differ from the record: not for events')
    .addOption(lang())
    .action(async (options) => done(await (await import('./record.ts')).runRecord(options, io)));

  addSettingFlags(
    program
      .command('serve')
      .description(
        'run everything all day: record all boards, publish, desk, interfaces; settings in jadoube.toml',
      ),
  ).action(async (options) => done(await (await import('./serve.ts')).runServe(options, io)));

  addSettingFlags(
    program
      .command('edge')
      .description('`serve` at the tables of one hall: records, and sends what it records to the hub'),
  ).action(async (options) =>
    done(await (await import('./serve.ts')).runServe({ ...options, streamRole: 'edge' }, io)),
  );
  addSettingFlags(
    program
      .command('hub')
      .description(
        '`serve` for boards in several halls: derives, publishes and has the desk of what edges send',
      ),
  ).action(async (options) =>
    done(await (await import('./serve.ts')).runServe({ ...options, streamRole: 'hub' }, io)),
  );
  addSettingFlags(
    program
      .command('worker')
      .description(
        'derives games for a hub that has `workers = true` in [stream]; any number, on any machines',
      ),
  ).action(async (options) => done(await (await import('./worker.ts')).runWorker(options, io)));

  const config = program.command('config').description('the settings of `serve`: check them, print a file');
  addSettingFlags(config.command('check').description('check the settings: faults by line and field'))
    .addOption(json())
    .action(async (options) => done((await import('./config.ts')).runConfigCheck(options, io)));
  config
    .command('example')
    .description('print a file with every setting and its default')
    .action(async () => done((await import('./config.ts')).runConfigExample(io)));
  config
    .command('schema')
    .description('print the schema of the settings as JSON Schema')
    .action(async () => done((await import('./config.ts')).runConfigSchema(io)));

  const event = program
    .command('event')
    .description('the tournament: pairings in, boards at tables, results');
  const by = () => new Option('--by <name>', 'who says so; the name of your account when absent');
  const section = () => new Option('--section <name>', 'group or section, where several play in one hall');
  const round = () => new Option('--round <number>', 'the round; the one that is played when absent');
  const dryRun = () => new Option('--dry-run', 'say what would change, and change nothing');
  const ofEvent = (command: Command): Command =>
    command.addOption(db()).addOption(by()).addOption(section()).addOption(json());
  const ofRound = (command: Command): Command => ofEvent(command).addOption(round()).addOption(dryRun());

  ofEvent(event.command('init').description('say what the event is'))
    .option('--name <name>', 'name of the event')
    .option('--site <place>', 'place of the event')
    .option('--rounds <number>', 'number of rounds')
    .option('--time-control <control>', 'time control as PGN writes it')
    .option('--arbiter <name>', 'chief arbiter')
    .action(async (options) => done((await import('./event.ts')).runEventInit(options, io)));
  ofRound(
    event
      .command('import')
      .description(
        'read pairings: PGN with tags only, TRF16, TRF26, pairs of JaVaFo or bbpPairings, Vega, CSV',
      )
      .argument('<file...>', 'files of a pairing program'),
  )
    .option('--whole', 'the list is all there is: pairings of its rounds that are not in it are withdrawn')
    .option('--encoding <name>', 'encoding of the text; guessed when absent')
    .option('--format <kind>', 'pgn, trf, vega, pairs or csv; told by what is in the file when absent')
    .action(async (files: string[], options) =>
      done((await import('./event.ts')).runEventImport(files, options, io)),
    );
  ofRound(
    event
      .command('pair')
      .description('put two players at a table, by name, FIDE id or starting rank')
      .argument('<table>', 'number of the table')
      .argument('[player...]', 'White and Black'),
  )
    .option('--remove', 'withdraw the pairing of the table')
    .action(async (table: string, players: string[], options) =>
      done((await import('./event.ts')).runEventPair(table, players, options, io)),
    );
  ofRound(
    event
      .command('assign')
      .description('say which electronic board stands at which table; without boards: as in the round before')
      .argument(
        '[place...]',
        'TABLE=BOARD for each (TABLE=- for none), or boards in the order of the tables',
      ),
  )
    .option('--mode <how>', 'remembered, order or serial')
    .option('--from <table>', 'the first table that gets a board')
    .option('--force', 'also boards whose game has no result yet')
    .action(async (places: string[], options) =>
      done((await import('./event.ts')).runEventAssign(places, options, io)),
    );
  ofRound(
    event
      .command('swap')
      .description('give a table another electronic board in mid-game: the game goes on there')
      .argument('<table>', 'number of the table')
      .argument('<board>', 'the other electronic board'),
  ).action(async (table: string, board: string, options) =>
    done((await import('./event.ts')).runEventSwap(table, board, options, io)),
  );
  ofRound(
    event
      .command('result')
      .description('enter the result of a table; it outweighs every other')
      .argument('<table>', 'number of the table')
      .argument('<score>', '1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, or * to take it back'),
  )
    .option('--forfeit', 'somebody did not play')
    .action(async (table: string, score: string, options) =>
      done((await import('./event.ts')).runEventResult(table, score, options, io)),
    );
  ofRound(
    event
      .command('game')
      .description('say which recorded game is the game of a table')
      .argument('<table>', 'number of the table')
      .argument('<game>', 'a game by its number in `games`'),
  ).action(async (table: string, game: string, options) =>
    done((await import('./event.ts')).runEventGame(table, game, options, io)),
  );
  ofRound(
    event
      .command('publish')
      .description(
        'write the games of a round as they stand now; `serve` does so by itself (outputs in the settings)',
      )
      .argument('<place>', 'a file that ends in .pgn, or a folder'),
  ).action(async (place: string, options) =>
    done(await (await import('./event.ts')).runEventPublish(place, options, io)),
  );
  ofRound(
    event.command('status').description('tables, boards, games, results, and what needs somebody'),
  ).action(async (options) => done((await import('./event.ts')).runEventStatus(options, io)));

  program
    .command('backup')
    .description('copy the database while a recorder writes to it, and check the copy')
    .argument('<file>', 'where the copy goes')
    .addOption(db())
    .option('--check', 'only check the copy that is there')
    .addOption(json())
    .action(async (file: string, options) =>
      done((await import('./backup.ts')).runBackup(file, options, io)),
    );

  program
    .command('archive')
    .description('put everything of a round into one file: database, PGN, tournament, captures')
    .argument('<file>', 'the archive (tar, gzip): round-3.tar.gz')
    .addOption(db())
    .requiredOption('--round <number>', 'the round')
    .addOption(section())
    .option('--capture <dir>', 'folder of captures')
    .addOption(json())
    .action(async (file: string, options) =>
      done(await (await import('./backup.ts')).runArchive(file, options, io)),
    );

  program
    .command('replay')
    .description('derive games from captures (.ndjson), raw bytes (.bin) and traces (.trace)')
    .argument('<file...>', 'files, in this order')
    .option('--json', 'one JSON object a game instead of PGN')
    .option('--board <kind>', 'kind of board, for files that do not say')
    .action(async (files: string[], options: { json?: boolean; board?: string }) =>
      done(await (await import('../replay/replay.ts')).runReplay(files, options, io.out, io.err)),
    );

  program
    .command('games')
    .description('list the games in a database')
    .addOption(db())
    .addOption(onlyBoard())
    .addOption(lang())
    .addOption(json())
    .action(async (options) => done(await (await import('./games.ts')).runGames(options, io)));

  program
    .command('export')
    .description('write games of a database as PGN')
    .addOption(db())
    .addOption(onlyBoard())
    .addOption(new Option('--game <id>', 'a game by its number in `games`, repeatable').argParser(collect))
    .option('--all', 'plies that are not certain as well')
    .option('--tenths', 'clock times with tenths of a second')
    .option('--emt', 'the time each move took as well, beside the clock')
    .option('--out <file>', 'write to a file instead of the terminal')
    .action(async (options) => done(await (await import('./export.ts')).runExport(options, io)));

  program
    .command('rederive')
    .description('derive all games again from the raw input and report what differs')
    .addOption(db())
    .addOption(onlyBoard())
    .option('--apply', 'accept what was derived')
    .addOption(json())
    .action(async (options) => done(await (await import('./rederive.ts')).runRederive(options, io)));

  program
    .command('repair')
    .description('look whether the database is whole, and save what can be read of a damaged one')
    .addOption(db())
    .action(async (options) => done((await import('./repair.ts')).runRepair(options, io)));

  program
    .command('claim')
    .description('check a draw claim by repetition or fifty moves: the plies concerned; the arbiter decides')
    .argument('<game>', 'a game by its number in `games`')
    .addOption(db())
    .option('--move <san>', 'the move the player has written; without it the position that stands')
    .option('--ply <number>', 'look after this ply; the last one when absent')
    .option('--touched', 'the player touched a piece before claiming')
    .addOption(lang())
    .addOption(json())
    .action(async (game: string, options) =>
      done(await (await import('./claim.ts')).runClaim(game, options, io)),
    );

  const html = () => new Option('--html [file]', 'a page to be printed, to a file or to standard output');
  const san = () => new Option('--san', 'moves with English letters, whatever the language');
  const limited = () => new Option('--limited', 'supervision was limited (A.5): what was answered stands');

  program
    .command('scoresheet')
    .description(
      'print the scoresheet of a game: moves, times, draw offers, what is in doubt, irregularities',
    )
    .argument('<game>', 'a game by its number in `games`')
    .addOption(db())
    .addOption(html())
    .addOption(san())
    .addOption(limited())
    .addOption(lang())
    .action(async (game: string, options) =>
      done(await (await import('./scoresheet.ts')).runScoresheet(game, options, io)),
    );

  program
    .command('report')
    .description(
      'print what an arbiter hands in: irregularities, time added, decisions, results and plies in doubt',
    )
    .addOption(db())
    .addOption(onlyBoard())
    .option('--since <time>', 'games that began then or later: 2026-11-30, 2026-11-30T14:00')
    .addOption(new Option('--game <id>', 'a game by its number in `games`, repeatable').argParser(collect))
    .option('--event <name>', 'games with this Event tag')
    .option('--round <name>', 'games with this Round tag')
    .addOption(html())
    .addOption(json())
    .addOption(san())
    .addOption(limited())
    .addOption(lang())
    .action(async (options) => done(await (await import('./report.ts')).runReport(options, io)));

  const pgnOfGames = () =>
    new Option(
      '--pgn <dir>',
      'folder whose PGN files are written anew where no recorder is running; that of the settings or of record when absent',
    );

  program
    .command('rules')
    .description(
      'set time control, supervision or rate of play of games that are recorded already, or say what counts for them',
    )
    .argument('[game]', 'a game by its number in `games`: all games of its board since then share the rules')
    .addOption(db())
    .option('--board <id>', 'the games that a board records now, as `games` names it')
    .option('--all', 'those of all boards that were heard in the last twelve hours')
    .option('--time-control <control>', "as PGN writes it: 5400+30, 40/7200+30:1800+30; White's,Black's")
    .addOption(supervision())
    .addOption(rate())
    .addOption(drawFrom())
    .addOption(defaultMinutes())
    .option(
      '--arbiters <n>',
      'so many arbiters watch these boards: says whether that is enough for full supervision (A.3, B.3)',
    )
    .option('--reset', 'forget what was said before: only what is said now counts')
    .option('--by <name>', 'who says so; the name of your account when absent')
    .addOption(pgnOfGames())
    .option('--no-pgn', 'touch no PGN files')
    .addOption(lang())
    .addOption(json())
    .action(async (game: string | undefined, options) =>
      done(await (await import('./rules.ts')).runRules(game, options, io)),
    );

  program
    .command('decide')
    .description('store what an arbiter decides or an operator corrects; the game is derived from it')
    .argument('<game>', 'a game by its number in `games`')
    .argument('<what>', 'what is decided, see below')
    .argument('[detail...]')
    .addOption(db())
    .option('--by <name>', 'who decides; the name of your account when absent')
    .addOption(pgnOfGames())
    .option('--no-pgn', 'touch no PGN files')
    .option('--ply <ply>', 'a ply by its number (23) or its move (12. of White, 12... of Black)')
    .option('--side <side>', 'white or black; who moved at that ply when absent')
    .option('--termination <reason>', 'how the game ended; not said in the PGN when absent')
    .option(
      '--replaces <number>',
      'correct: in place of so many plies; as many as there are moves when absent',
    )
    .option('--all', 'correct: nothing was played after these moves')
    .addOption(lang())
    .addOption(json())
    .addHelpText('after', () => `\n${makeDecideHelp()}`)
    .action(async (game: string, what: string, details: string[], options) =>
      done(await (await import('./decide.ts')).runDecide(game, what, details, options, io)),
    );

  program
    .command('decisions')
    .description('list what was decided in a game, and its irregularities as they stand')
    .argument('<game>', 'a game by its number in `games`')
    .addOption(db())
    .addOption(lang())
    .addOption(json())
    .action(async (game: string, options) =>
      done(await (await import('./decisions.ts')).runDecisions(game, options, io)),
    );

  program
    .command('hold')
    .description(
      'withhold games from publication (a game, a board, all), or `hold release` them; lists what is withheld',
    )
    .argument('[release]', 'lets go what is withheld')
    .addOption(db())
    .option('--game <id>', 'a game by its number in `games`')
    .option('--board <id>', 'all games of one board, as `games` names it')
    .option('--all', 'everything')
    .option('--by <name>', 'who says so; the name of your account when absent')
    .action(async (what: string | undefined, options) =>
      done((await import('./hold.ts')).runHold(what, options, io)),
    );

  program
    .command('unwinnable')
    .description('read positions (FEN, one a line, from standard input) and say who can still mate')
    .option(
      '--budget <nodes>',
      'positions looked at for one side before it is undecided; 1500000 when absent',
    )
    .addOption(json())
    .action(async (options) => done(await (await import('./unwinnable.ts')).runUnwinnable(options, io)));

  program
    .command('password')
    .description('read a password from standard input and print its hash, for the accounts of the desk')
    .action(async () => done(await (await import('./password.ts')).runPassword(io)));

  program
    .command('doctor')
    .description('look for what would stand in the way of recording, and name the cure')
    .addOption(db())
    .addOption(new Option('--pgn <dir>', 'folder for PGN files').default(DEFAULT_PGN))
    .option('--no-pgn', 'no PGN files')
    .addOption(json())
    .option('--udev-rules', 'print the udev rules for boards on USB HID, and nothing else')
    .action(async (options) => done(await (await import('./doctor.ts')).runDoctor(options, io)));

  program
    .command('demo')
    .description('four simulated boards play real games; the recorder records them as it would real ones')
    .option('--speed <factor>', 'how many times faster than life')
    .option('--boards <number>', 'how many boards; four when absent')
    .option('--seed <number>', 'which games and which hands; equal seeds play equally')
    .option('--desk', 'twelve boards, something that needs attention at each, and the desk to put it right')
    .option('--port <number>', 'port of the desk; 8090 when absent')
    .option('--dir <folder>', 'folder for database and PGN; a new one when absent')
    .addOption(lang())
    .action(async (options) => done(await (await import('./demo.ts')).runDemoCommand(options, io)));

  const all = (command: Command): Command[] => command.commands.flatMap((inner) => [inner, ...all(inner)]);
  for (const command of all(program)) command.exitOverride().configureOutput(program.configureOutput());
  return program;
}
