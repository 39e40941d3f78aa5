import { describe, expect, it } from 'vitest';
import { BOARDS, findBoard } from '../../boards/registry.ts';
import { isBoardError } from '../../core/board-error.ts';
import { readBoardSettings } from '../../recorder/board-settings.ts';

const VARIABLE = 'JADOUBE_DGT_PEGASUS_DEVELOPER_KEY';

describe('settings of boards', () => {
  it('are read from the environment, for their own kind of board', () => {
    const settings = readBoardSettings(BOARDS, { [VARIABLE]: '0123456789ab' });
    const [pegasus, dgt] = ['dgt-pegasus', 'dgt'].map((id) => findBoard(id));
    expect(pegasus?.ok && settings(pegasus.value)).toEqual({ 'developer-key': '0123456789ab' });
    expect(dgt?.ok && settings(dgt.value)).toEqual({});
    expect(pegasus?.ok && readBoardSettings(BOARDS, { [VARIABLE]: '' })(pegasus.value)).toEqual({});
  });

  it('that cannot be right are refused by name, without repeating a key', () => {
    let failure: unknown;
    try {
      readBoardSettings(BOARDS, { [VARIABLE]: 'secret' });
    } catch (error) {
      failure = error;
    }
    expect(isBoardError(failure) && failure.code).toBe('ARGUMENT_INVALID');
    expect(String(failure)).toContain(VARIABLE);
    expect(String(failure)).not.toContain('secret');
  });
});
