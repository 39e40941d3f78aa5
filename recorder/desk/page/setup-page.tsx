/** Tables and their boards, lists of pairings, how boards and outputs stand. */
import { useEffect } from 'preact/hooks';
import { SetupBoards } from './setup-boards.tsx';
import { setup, watchSetup } from './setup-data.ts';
import { SetupImport } from './setup-import.tsx';
import { SetupOutputs } from './setup-outputs.tsx';
import { SetupTables } from './setup-tables.tsx';
import { say } from './speech.ts';

export function SetupPage() {
  useEffect(watchSetup, []);
  const known = setup.value;
  return (
    <div class="setup">
      <h1>{say('setup')}</h1>
      {known?.tournament !== undefined && (
        <>
          <SetupTables tournament={known.tournament} boards={known.boards} />
          <SetupImport />
        </>
      )}
      <SetupBoards known={known} />
      {known !== undefined && <SetupOutputs known={known} />}
    </div>
  );
}
