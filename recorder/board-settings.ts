import type { BoardDefinition, BoardSettings } from '../boards/definition.ts';
import { BoardError } from '../core/board-error.ts';

/** Name of the environment variable of a setting: "JADOUBE_DGT_PEGASUS_DEVELOPER_KEY". */
export const settingVariable = (kind: string, name: string): string =>
  `JADOUBE_${kind}_${name}`.replaceAll('-', '_').toUpperCase();

/**
 * Reads what a person has set for kinds of board from the environment, where keys are not seen by who lists processes.
 * Throws ARGUMENT_INVALID for a value that cannot be one.
 */
export function readBoardSettings(
  definitions: readonly BoardDefinition[],
  env: Readonly<Record<string, string | undefined>>,
): (kind: BoardDefinition) => BoardSettings {
  const all = new Map<string, BoardSettings>();
  for (const { id, settings = [] } of definitions) {
    const mine: Record<string, string> = {};
    for (const { name, pattern, what } of settings) {
      const variable = settingVariable(id, name);
      const value = env[variable];
      if (value === undefined || value === '') continue;
      // The value itself may be a secret: it is not repeated.
      if (!pattern.test(value))
        throw new BoardError('ARGUMENT_INVALID', { argument: variable, detail: `${variable}: ${what}` });
      mine[name] = value;
    }
    all.set(id, mine);
  }
  return ({ id }) => all.get(id) ?? {};
}
