import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONFIG, settingName } from '../../../recorder/config/config.ts';
import { makeExampleConfig } from '../../../recorder/config/example.ts';
import { loadConfig, parseConfig } from '../../../recorder/config/load-config.ts';
import { readSecret } from '../../../recorder/config/secret.ts';
import { OUTPUT_KINDS, SECTIONS } from '../../../recorder/config/setting.ts';
import { codeOf } from '../../kit/code-of.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const DEFAULTS = CONFIG.parse({});

/** Faults as `code line field`. */
function faultsOf(text: string): string[] {
  const loaded = parseConfig(text, 'x.toml');
  return loaded.ok
    ? []
    : loaded.fault.map(({ code, context }) => `${code} ${context.line} ${context.field ?? ''}`.trim());
}

describe('the settings', () => {
  it('are all defaults without a file, and with the example as it is printed', () => {
    expect(parseConfig(undefined, 'x.toml')).toEqual({
      ok: true,
      value: { config: DEFAULTS, file: undefined },
    });
    const example = parseConfig(makeExampleConfig(), 'x.toml');
    expect(example.ok && example.value.config).toEqual(DEFAULTS);
  });

  it('take the example with every line of it in force', () => {
    const text = makeExampleConfig().replace(/^#(?=[[a-z])/gm, '');
    const loaded = parseConfig(text, 'x.toml');
    expect(loaded.ok ? [] : loaded.fault.map(({ message }) => message)).toEqual([]);
    if (!loaded.ok) return;
    expect(loaded.value.config.outputs.map(({ type }) => type)).toEqual(OUTPUT_KINDS.map(({ name }) => name));
    expect(loaded.value.config.event.timeControl).toBe('5400+30');
  });

  it('name every fault by line and field', () => {
    const text = [
      '[event]',
      'name = "Open"',
      'time-contrl = "5400+30" # a slip',
      'rate = "slow"',
      '[boards]',
      'places = [',
      '  "dgt=serial:/dev/ttyUSB0",',
      '  "nonsense" ]',
      '[[outputs]]',
      'type = "folder"',
      'dir = """a',
      'port = 3""" # no setting',
      '[[outputs]]',
      'type = "lichess"',
      'token = "lip_hidden"',
      'rounds = { 1 = "short" }',
      '[http]',
      'port = 70000',
    ].join('\n');
    expect(faultsOf(text).sort()).toEqual([
      'CONFIG_INVALID 15 outputs[2].token',
      'CONFIG_INVALID 16 outputs[2].rounds.1',
      'CONFIG_INVALID 18 http.port',
      'CONFIG_INVALID 3 event.time-contrl',
      'CONFIG_INVALID 4 event.rate',
      'CONFIG_INVALID 6 boards.places[2]',
    ]);
    const loaded = parseConfig(text, 'x.toml');
    expect(JSON.stringify(loaded.ok ? [] : loaded.fault.map((fault) => fault.message))).not.toContain(
      'lip_hidden',
    );
  });

  it.each([
    ['[event]\nname = Open', 'CONFIG_SYNTAX 2'],
    ['[event\n', 'CONFIG_SYNTAX 1'],
    ['a = 1\na = 2', 'CONFIG_SYNTAX 2'],
  ])('name the line of %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('take a setting that is given beside the file before that of the file', () => {
    const loaded = parseConfig('[http]\nport = 1\n[recorder]\ndb = "a/b.sqlite"', '/etc/x/x.toml', [
      { path: ['http', 'port'], value: 2, from: '--http-port' },
      { path: ['outputs', 0], value: { type: 'hook', command: ['x'] }, from: '--output' },
    ]);
    expect(loaded.ok && loaded.value.config).toMatchObject({
      http: { port: 2 },
      recorder: { db: '/etc/x/a/b.sqlite' },
      outputs: [{ type: 'hook', command: ['x'], delaySeconds: 0 }],
    });
    const wrong = parseConfig('', 'x.toml', [{ path: ['http', 'port'], value: -1, from: '--http-port' }]);
    expect(wrong.ok || wrong.fault[0]!.context).toMatchObject({ file: '--http-port', field: 'http.port' });
  });

  it('say that a file that was named is not there', () => {
    const loaded = loadConfig(join(temporaryFolder(), 'none.toml'));
    expect(loaded.ok || loaded.fault.map(({ code }) => code)).toEqual(['FILE_UNREADABLE']);
  });

  it('never throw, whatever the file holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
        parseConfig(text, 'x.toml');
        parseConfig(`[event]\n${text}`, 'x.toml');
      }),
    );
  });

  it('have a title each, and a name that comes back from the file', () => {
    for (const { settings } of [...SECTIONS, ...OUTPUT_KINDS]) {
      for (const { path, title } of settings) {
        expect(title).not.toBe('');
        expect(settingName(path[1]!)).toMatch(/^[a-z-]+$/);
      }
    }
  });
});

describe('readSecret', () => {
  it('reads a file or a variable and never tells what a wrong reference holds', () => {
    const file = join(temporaryFolder(), 'token');
    writeFileSync(file, 'abc\n');
    expect(readSecret(`file:${file}`, {})).toBe('abc');
    expect(readSecret('env:T', { T: ' x ' })).toBe('x');
    expect(codeOf(() => readSecret('env:T', {}))).toBe('SECRET_UNREADABLE');
    expect(codeOf(() => readSecret('file:/nowhere/x', {}))).toBe('SECRET_UNREADABLE');
    expect(() => readSecret('lip_hidden', {})).toThrow(/^(?!.*lip_hidden)/);
    expect(readFileSync(file, 'utf8')).toBe('abc\n');
  });
});
