/** One step of the schema. What was released is never edited: its checksum stands in every database. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'boards, raw input and derived games',
    sql: `
CREATE TABLE store (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  -- Random; makes the ids of its games unique in the world.
  token         TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
  id              INTEGER PRIMARY KEY,
  boot            TEXT NOT NULL UNIQUE,
  pid             INTEGER NOT NULL,
  host            TEXT NOT NULL,
  started_ms      INTEGER NOT NULL,
  started_wall_ms INTEGER NOT NULL,
  -- Absent while it runs, and after a hard end.
  ended_wall_ms   INTEGER
) STRICT;

CREATE TABLE boards (
  id                 INTEGER PRIMARY KEY,
  key                TEXT NOT NULL UNIQUE,
  kind               TEXT NOT NULL,
  identity           TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(identity)),
  first_seen_wall_ms INTEGER NOT NULL
) STRICT;

-- One uninterrupted derivation of one board: it outlives lost links and restarts of the recorder.
CREATE TABLE sittings (
  id              INTEGER PRIMARY KEY,
  board_id        INTEGER NOT NULL REFERENCES boards (id),
  start           TEXT,
  variant         TEXT NOT NULL CHECK (variant IN ('standard', 'chess960')),
  rotated         INTEGER NOT NULL CHECK (rotated IN (0, 1)),
  started_ms      INTEGER NOT NULL,
  started_wall_ms INTEGER NOT NULL,
  -- What has been derived reaches to here.
  seen_to_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX sittings_by_board ON sittings (board_id);

-- What passed over the link, as received (packed-inputs.ts): never changed, never deleted.
CREATE TABLE inputs (
  id         INTEGER PRIMARY KEY,
  sitting_id INTEGER NOT NULL REFERENCES sittings (id),
  run_id     INTEGER NOT NULL REFERENCES runs (id),
  at_ms      INTEGER NOT NULL,
  wall_ms    INTEGER NOT NULL,
  data       BLOB NOT NULL
) STRICT;
CREATE INDEX inputs_by_sitting ON inputs (sitting_id);
CREATE TRIGGER inputs_stay BEFORE UPDATE ON inputs BEGIN SELECT RAISE(ABORT, 'raw input is never changed'); END;
CREATE TRIGGER inputs_are_kept BEFORE DELETE ON inputs BEGIN SELECT RAISE(ABORT, 'raw input is never deleted'); END;

-- From here on everything is derived from the input, except tags.
CREATE TABLE games (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  sitting_id      INTEGER NOT NULL REFERENCES sittings (id),
  number          INTEGER NOT NULL CHECK (number > 0),
  variant         TEXT NOT NULL CHECK (variant IN ('standard', 'chess960')),
  start           TEXT NOT NULL,
  started_ms      INTEGER NOT NULL,
  started_wall_ms INTEGER NOT NULL,
  result          TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
  reason          TEXT,
  ended           INTEGER NOT NULL CHECK (ended IN (0, 1)),
  orientation     TEXT NOT NULL CHECK (orientation IN ('normal', 'rotated')),
  placement       TEXT NOT NULL,
  in_sync         INTEGER NOT NULL CHECK (in_sync IN (0, 1)),
  white_ms        INTEGER,
  black_ms        INTEGER,
  UNIQUE (sitting_id, number)
) STRICT;

CREATE TABLE plies (
  game_id      INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  number       INTEGER NOT NULL CHECK (number > 0),
  san          TEXT NOT NULL,
  uci          TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('provisional', 'ambiguous', 'confirmed', 'settled')),
  made_ms      INTEGER NOT NULL,
  completed_ms INTEGER,
  clock_ms     INTEGER,
  candidates   TEXT CHECK (candidates IS NULL OR json_valid(candidates)),
  inferred     INTEGER NOT NULL CHECK (inferred IN (0, 1)),
  PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE flags (
  game_id  INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  number   INTEGER NOT NULL CHECK (number > 0),
  code     TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'notice', 'warning', 'alarm')),
  ply      INTEGER NOT NULL,
  at_ms    INTEGER NOT NULL,
  detail   TEXT,
  PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;

-- Every change of a game's record, in order: how it came to be what it is, take-backs and corrections included.
CREATE TABLE decisions (
  id      INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  at_ms   INTEGER NOT NULL,
  type    TEXT NOT NULL CHECK (type IN ('ply', 'amended', 'withdrawn', 'result', 'ended', 'orientation')),
  ply     INTEGER,
  value   TEXT
) STRICT;
CREATE INDEX decisions_by_game ON decisions (game_id);

-- What people say of a game; kept by sitting and number, so that it survives a new derivation.
CREATE TABLE tags (
  sitting_id INTEGER NOT NULL REFERENCES sittings (id),
  number     INTEGER NOT NULL CHECK (number > 0),
  name       TEXT NOT NULL,
  value      TEXT NOT NULL,
  PRIMARY KEY (sitting_id, number, name)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    version: 2,
    name: 'what people enter, and the rules of the event',
    sql: `
-- Rulings and corrections, each with who and when. One with \`undoes\` takes back an earlier one.
CREATE TABLE entries (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  sitting_id INTEGER NOT NULL REFERENCES sittings (id),
  -- Number of the game at its board: it stays when games are derived again.
  game       INTEGER NOT NULL CHECK (game > 0),
  -- Its place among the input of the sitting.
  at_ms      INTEGER NOT NULL,
  wall_ms    INTEGER NOT NULL,
  signed_by  TEXT NOT NULL CHECK (signed_by <> ''),
  what       TEXT CHECK (what IS NULL OR json_valid(what)),
  undoes     INTEGER UNIQUE REFERENCES entries (id),
  CHECK ((what IS NULL) <> (undoes IS NULL))
) STRICT;
CREATE INDEX entries_by_sitting ON entries (sitting_id);
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;
CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'an entry is never deleted'); END;
CREATE TRIGGER entries_undo_entries BEFORE INSERT ON entries WHEN NEW.undoes IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM entries WHERE id = NEW.undoes AND sitting_id = NEW.sitting_id AND game = NEW.game AND undoes IS NULL
) BEGIN SELECT RAISE(ABORT, 'nothing there that could be undone'); END;

-- What the event prescribes; the last row of a sitting counts, for all of it.
CREATE TABLE rules (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  sitting_id INTEGER NOT NULL REFERENCES sittings (id),
  wall_ms    INTEGER NOT NULL,
  -- In PGN's grammar.
  white      TEXT,
  black      TEXT,
  regime     TEXT CHECK (regime IN ('full', 'limited')),
  rate       TEXT CHECK (rate IN ('standard', 'rapid', 'blitz'))
) STRICT;
CREATE INDEX rules_by_sitting ON rules (sitting_id);
CREATE TRIGGER rules_stay BEFORE UPDATE ON rules BEGIN SELECT RAISE(ABORT, 'rules are never changed'); END;
CREATE TRIGGER rules_are_kept BEFORE DELETE ON rules BEGIN SELECT RAISE(ABORT, 'rules are never deleted'); END;

-- Derived: the last entry that the games of the sitting honour, and points that PGN has no token for.
ALTER TABLE sittings ADD COLUMN honoured_entry INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN score TEXT CHECK (score IN ('0-0', '1/2-0', '0-1/2'));
`,
  },
  {
    version: 3,
    name: 'how far input and entries have gone to others and come from others',
    sql: `
CREATE TABLE marks (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sittings that were recorded elsewhere: their name in the world, and the last row of their input that is here.
CREATE TABLE arrivals (
  sitting_id INTEGER PRIMARY KEY REFERENCES sittings (id),
  origin     TEXT NOT NULL UNIQUE,
  position   INTEGER NOT NULL
) STRICT;

-- Entries that were made elsewhere.
CREATE TABLE entry_origins (
  entry_id INTEGER PRIMARY KEY REFERENCES entries (id),
  uid      TEXT NOT NULL UNIQUE
) STRICT;
`,
  },
  {
    version: 4,
    name: 'tournament: players, pairings, boards at tables, results by source',
    sql: `
CREATE TABLE event_facts (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rounds (
  section TEXT NOT NULL,
  number  INTEGER NOT NULL CHECK (number > 0),
  date    TEXT,
  PRIMARY KEY (section, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  section TEXT NOT NULL,
  name    TEXT NOT NULL CHECK (name <> ''),
  facts   TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;

-- Game identity: the id stays whatever happens to names, colours, tables and order. Never deleted.
CREATE TABLE pairings (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  section   TEXT NOT NULL,
  round     INTEGER NOT NULL CHECK (round > 0),
  leg       INTEGER NOT NULL CHECK (leg > 0),
  board     INTEGER CHECK (board > 0),
  place     INTEGER NOT NULL,
  white_id  INTEGER REFERENCES players (id),
  black_id  INTEGER REFERENCES players (id),
  withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
) STRICT;
CREATE INDEX pairings_by_round ON pairings (round);
CREATE TRIGGER pairings_are_kept BEFORE DELETE ON pairings BEGIN SELECT RAISE(ABORT, 'a pairing is never deleted'); END;

-- Which electronic board stood at the table of a pairing, and when. One that goes on with a game begins where that was left.
CREATE TABLE assignments (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  pairing_id    INTEGER NOT NULL REFERENCES pairings (id),
  board         TEXT NOT NULL,
  from_wall_ms  INTEGER NOT NULL,
  until_wall_ms INTEGER,
  start         TEXT,
  after_sitting INTEGER REFERENCES sittings (id),
  after_number  INTEGER
) STRICT;
CREATE UNIQUE INDEX assignments_of_board ON assignments (board) WHERE until_wall_ms IS NULL;
CREATE UNIQUE INDEX assignments_of_pairing ON assignments (pairing_id) WHERE until_wall_ms IS NULL;

-- Whose game it is that was recorded; kept by sitting and number, so that it survives a new derivation.
CREATE TABLE pairing_games (
  sitting_id    INTEGER NOT NULL REFERENCES sittings (id),
  number        INTEGER NOT NULL CHECK (number > 0),
  pairing_id    INTEGER NOT NULL REFERENCES pairings (id),
  assignment_id INTEGER REFERENCES assignments (id),
  chosen        INTEGER NOT NULL DEFAULT 0 CHECK (chosen IN (0, 1)),
  PRIMARY KEY (sitting_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX pairing_games_by_pairing ON pairing_games (pairing_id);

-- What people and files have said; the last row of a source counts. What boards show is in the games.
CREATE TABLE pairing_results (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  pairing_id  INTEGER NOT NULL REFERENCES pairings (id),
  source      TEXT NOT NULL CHECK (source IN ('desk', 'file', 'board', 'clock', 'inference')),
  score       TEXT NOT NULL CHECK (score IN ('1-0', '0-1', '1/2-1/2', '0-0', '1/2-0', '0-1/2', '*')),
  forfeit     INTEGER NOT NULL CHECK (forfeit IN (0, 1)),
  termination TEXT,
  wall_ms     INTEGER NOT NULL,
  signed_by   TEXT NOT NULL CHECK (signed_by <> '')
) STRICT;
CREATE INDEX pairing_results_by_pairing ON pairing_results (pairing_id);
CREATE TRIGGER pairing_results_stay BEFORE UPDATE ON pairing_results BEGIN SELECT RAISE(ABORT, 'a result is never changed'); END;
CREATE TRIGGER pairing_results_are_kept BEFORE DELETE ON pairing_results BEGIN SELECT RAISE(ABORT, 'a result is never deleted'); END;

-- Every change, with what was there before: who, when, what.
CREATE TABLE tournament_log (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  wall_ms   INTEGER NOT NULL,
  signed_by TEXT NOT NULL CHECK (signed_by <> ''),
  what      TEXT NOT NULL CHECK (json_valid(what))
) STRICT;
CREATE TRIGGER tournament_log_stays BEFORE UPDATE ON tournament_log BEGIN SELECT RAISE(ABORT, 'what was changed is never rewritten'); END;
CREATE TRIGGER tournament_log_is_kept BEFORE DELETE ON tournament_log BEGIN SELECT RAISE(ABORT, 'what was changed is never deleted'); END;
`,
  },
  {
    version: 5,
    name: 'what is withheld from the world',
    sql: `
CREATE TABLE holds (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  scope          TEXT NOT NULL CHECK (scope IN ('all', 'board', 'game')),
  board          TEXT,
  game_id        INTEGER,
  -- Nothing that became known later is shown.
  since_ms       INTEGER NOT NULL,
  wall_ms        INTEGER NOT NULL,
  signed_by      TEXT NOT NULL CHECK (signed_by <> ''),
  lifted_wall_ms INTEGER,
  lifted_by      TEXT,
  CHECK ((board IS NOT NULL) = (scope = 'board') AND (game_id IS NOT NULL) = (scope = 'game')),
  CHECK ((lifted_wall_ms IS NULL) = (lifted_by IS NULL))
) STRICT;
CREATE TRIGGER holds_are_kept BEFORE DELETE ON holds BEGIN SELECT RAISE(ABORT, 'a hold is never deleted'); END;
`,
  },
  {
    version: 6,
    name: 'rules that people set while games go on',
    sql: `
-- Who has said so; NULL for the settings of a recorder.
ALTER TABLE rules ADD COLUMN signed_by TEXT CHECK (signed_by <> '');

-- Derived: the last row of rules that the games of the sitting honour.
ALTER TABLE sittings ADD COLUMN honoured_rules INTEGER NOT NULL DEFAULT 0;
UPDATE sittings SET honoured_rules = coalesce((SELECT max(id) FROM rules WHERE sitting_id = sittings.id), 0);
`,
  },
  {
    version: 7,
    name: 'a move before which no draw is agreed',
    sql: `
ALTER TABLE rules ADD COLUMN draw_from INTEGER CHECK (draw_from >= 1);
`,
  },
  {
    version: 8,
    name: 'a default time',
    sql: `
ALTER TABLE rules ADD COLUMN default_minutes INTEGER CHECK (default_minutes >= 1);
`,
  },
];
