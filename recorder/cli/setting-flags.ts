/** Every setting as a flag: `[event] name` is `--event-name`. */
import { type Command, Option } from 'commander';
import { schemaName } from '../config/config.ts';
import type { GivenSetting } from '../config/load-config.ts';
import { flagOf, OUTPUT_KINDS, SECTIONS, type Setting } from '../config/setting.ts';
import { ArgumentError } from './print-fault.ts';

const SETTINGS: readonly Setting[] = SECTIONS.flatMap(({ settings }) => settings);
const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

/** Adds `--config`, a flag for every setting, and the short ways to name boards and outputs. */
export function addSettingFlags(command: Command): Command {
  command.addOption(new Option('--config <file>', 'file with settings; jadoube.toml when it is there'));
  for (const setting of SETTINGS) {
    const { type, title, choices, fallback } = setting;
    const value =
      type === 'flag'
        ? '<yes|no>'
        : type === 'list'
          ? '<value>'
          : `<${type === 'number' ? 'number' : 'text'}>`;
    const words = type === 'list' ? `${title} (repeatable)` : title;
    const known = choices === undefined || words.includes(choices[0]!) ? '' : `: ${choices.join(', ')}`;
    const standard =
      fallback === undefined || fallback === '' || type === 'list'
        ? ''
        : ` (${type === 'flag' ? (fallback === true ? 'yes' : 'no') : String(fallback)})`;
    const option = new Option(`${flagOf(setting)} ${value}`, `${words}${known}${standard}`);
    if (type === 'list') option.argParser(collect);
    command.addOption(option);
  }
  command.addOption(
    new Option(
      '--output <settings>',
      'one more output, repeatable: type=folder,dir=public,delay-seconds=900',
    ).argParser(collect),
  );
  command.addOption(new Option('--db <file>', 'the same as --recorder-db'));
  command.addOption(
    new Option('--board <kind=link>', 'the same as --boards-places, repeatable').argParser(collect),
  );
  return command;
}

/** Reads the value of a flag as its setting has it; throws an `ArgumentError`. What no setting can be is told by the schema. */
function readValue(type: Setting['type'], text: unknown, flag: string): unknown {
  if (type === 'number') return typeof text === 'string' && /^-?\d{1,9}$/.test(text) ? Number(text) : text;
  if (type !== 'flag') return text;
  if (text === 'yes' || text === 'true' || text === 'on') return true;
  if (text === 'no' || text === 'false' || text === 'off') return false;
  throw new ArgumentError(`${flag}: write yes or no`);
}

/** What was said by flags, as the settings take it; throws an `ArgumentError`. */
export function givenSettings(options: Readonly<Record<string, unknown>>): GivenSetting[] {
  const given: GivenSetting[] = [];
  const { db, board, ...named } = options;
  if (db !== undefined) given.push({ path: ['recorder', 'db'], value: db, from: '--db' });
  if (board !== undefined) given.push({ path: ['boards', 'places'], value: board, from: '--board' });
  for (const setting of SETTINGS) {
    const flag = flagOf(setting);
    const value = named[schemaName(flag.slice(2))];
    if (value !== undefined)
      given.push({ path: setting.path, value: readValue(setting.type, value, flag), from: flag });
  }
  for (const [i, text] of ((options.output as string[] | undefined) ?? []).entries())
    given.push({ path: ['outputs', i], value: readOutput(text), from: '--output' });
  return given;
}

/** Reads `type=folder,dir=public,delay-seconds=900`. */
function readOutput(text: string): Record<string, unknown> {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=(.*)$/s.exec(pair));
  if (pairs.includes(null)) throw new ArgumentError('--output: write name=value,name=value');
  const named = pairs.map((pair) => [schemaName(pair![1]!), pair![2]!] as const);
  const kind = OUTPUT_KINDS.find(({ name }) => name === named.find(([name]) => name === 'type')?.[1]);
  return Object.fromEntries(
    named.map(([name, value]) => {
      const setting = kind?.settings.find(({ path }) => path[1] === name);
      if (setting === undefined) return [name, value];
      if (setting.type === 'list') return [name, value.split(' ').filter((word) => word !== '')];
      if (setting.type === 'table') {
        return [
          name,
          Object.fromEntries(value.split(' ').map((pair) => pair.split(':').slice(0, 2) as [string, string])),
        ];
      }
      return [name, readValue(setting.type, value, '--output')];
    }),
  );
}
