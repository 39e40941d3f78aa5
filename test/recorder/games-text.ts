import Sqlite from 'better-sqlite3';

/** Everything in a database that is derived, to the last byte, as text. */
export function gamesText(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  try {
    const tables = [
      'SELECT * FROM games ORDER BY id',
      'SELECT * FROM plies ORDER BY game_id, number',
      'SELECT * FROM flags ORDER BY game_id, number',
      // Their own numbers, to which nobody refers, are given anew.
      'SELECT game_id, at_ms, type, ply, value FROM decisions ORDER BY game_id, id',
    ];
    return JSON.stringify(tables.map((sql) => db.prepare(sql).all()));
  } finally {
    db.close();
  }
}
