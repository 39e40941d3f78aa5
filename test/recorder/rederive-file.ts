import type { Difference } from '../../recorder/compare-records.ts';
import { rederiveSitting } from '../../recorder/rederive.ts';
import { openStoreReader } from '../../recorder/store/store.ts';

/** How all games of a database, derived again from its raw input, differ from what is stored, a list a sitting. */
export function rederiveFile(file: string): (readonly Difference[] | undefined)[] {
  const reader = openStoreReader(file);
  try {
    return reader.sittings().map((sitting) => rederiveSitting(reader, sitting)?.differences);
  } finally {
    reader.close();
  }
}
