import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addSettingFlags, givenSettings } from '../../../recorder/cli/setting-flags.ts';
import { CONFIG, OUTPUT, settingName } from '../../../recorder/config/config.ts';
import { parseConfig } from '../../../recorder/config/load-config.ts';

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The settings as the schema has them by itself, without our own walk through it. */
const whole = z.toJSONSchema(CONFIG, { io: 'input' }) as Schema;
const LEAVES = Object.entries(whole.properties!)
  .filter(([section]) => section !== 'outputs')
  .flatMap(([section, { properties }]) =>
    Object.entries(properties!).map(([name, schema]) => ({ section, name, schema })),
  );
const KINDS = OUTPUT.options.map((option) => (z.toJSONSchema(option, { io: 'input' }) as Schema).properties!);

/** Values that are no defaults and that the schema takes. */
const SPECIAL: Readonly<Record<string, string>> = {
  'event.timeControl': '5400+30',
  'boards.places': 'dgt=serial:/dev/ttyUSB0',
  path: '/here',
  url: 'https://example.org',
  token: 'env:T',
  password: 'env:T',
  key: 'env:T',
  rounds: '1:abcdefgh',
  command: 'cat',
};
function sampleOf(
  key: string,
  name: string,
  { type, enum: choices, pattern, minimum, default: fallback }: Schema,
): string {
  const special = SPECIAL[key] ?? SPECIAL[name];
  if (special !== undefined) return special;
  if (choices !== undefined) return choices.find((choice) => choice !== fallback)!;
  if (type === 'boolean') return fallback === true ? 'no' : 'yes';
  if (type === 'integer' || type === 'number') return String(Math.max(minimum ?? 0, fallback === 3 ? 4 : 3));
  return pattern?.includes('file:') === true ? 'env:T' : 'some-text';
}

const parse = (argv: readonly string[]) => {
  const command = addSettingFlags(new Command()).exitOverride();
  command.parse(argv, { from: 'user' });
  return parseConfig('', '/x/jadoube.toml', givenSettings(command.opts()));
};

describe('every setting of the schema', () => {
  it.each(
    LEAVES.map(
      ({ section, name, schema }) => [`--${section}-${settingName(name)}`, section, name, schema] as const,
    ),
  )('has the flag %s, which sets it', (flag, section, name, schema) => {
    const value = sampleOf(`${section}.${name}`, name, schema);
    const loaded = parse([flag, value]);
    expect(loaded.ok ? [] : loaded.fault.map(({ message }) => message)).toEqual([]);
    if (!loaded.ok) return;
    const set = (loaded.value.config as unknown as Record<string, Record<string, unknown>>)[section]![name];
    const before = (CONFIG.parse({}) as unknown as Record<string, Record<string, unknown>>)[section]![name];
    expect(set).not.toEqual(before);
    expect(String(set)).toContain(
      value === 'yes' ? 'true' : value === 'no' ? 'false' : value.replace('env:', ''),
    );
  });

  it.each(KINDS.map((properties) => [properties.type!.const!, properties] as const))(
    'of an output %s can be given with --output',
    (type, properties) => {
      const given = Object.entries(properties)
        .filter(([name]) => name !== 'type')
        .map(([name, schema]) => [name, sampleOf(`${type}.${name}`, name, schema)] as const);
      const text = [['type', type] as const, ...given]
        .map(([name, value]) => `${settingName(name)}=${value}`)
        .join(',');
      const loaded = parse(['--output', text]);
      expect(loaded.ok ? [] : loaded.fault.map(({ message }) => message)).toEqual([]);
      expect(Object.keys(loaded.ok ? loaded.value.config.outputs[0]! : {}).sort()).toEqual(
        Object.keys(properties).sort(),
      );
    },
  );
});
