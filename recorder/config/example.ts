import { stringify } from 'smol-toml';
import { settingName } from './config.ts';
import { OUTPUT_KINDS, SECTIONS, type Setting } from './setting.ts';

/** What stands in place of a value that has no default. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  'event.name': 'City Open 2026',
  'event.site': 'Minsk',
  'event.timeControl': '5400+30',
  'event.supervision': 'full',
  'event.rate': 'standard',
  'event.drawFrom': 30,
  'event.defaultMinutes': 30,
  'recorder.language': 'en',
  'outputs.name': 'public',
  'outputs.dir': 'public',
  'outputs.host': 'files.example.org',
  'outputs.user': 'chess',
  'outputs.password': 'env:UPLOAD_PASSWORD',
  'outputs.key': 'file:upload.key',
  'outputs.hostKey': 'SHA256:...',
  'outputs.token': 'env:LICHESS_TOKEN',
  'outputs.rounds': { 1: 'abcdefgh' },
  'outputs.command': ['./publish.sh'],
  'desk.viewer': 'env:DESK_VIEWER',
  'desk.operator': 'env:DESK_OPERATOR',
  'desk.arbiter': 'env:DESK_ARBITER',
};

const makeValue = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name} = ${makeValue(inner)}`)
      .join(', ')} }`;
  }
  return stringify({ x: value }).replace(/^x = /, '').trimEnd();
};

/** A reference that any secret may have: `env:STREAM_PASSWORD`. */
const secretSample = ({ path }: Setting): string =>
  `env:${path.map(settingName).join('_').replaceAll('-', '_').toUpperCase()}`;

const makeLine = (setting: Setting): string => {
  const value =
    setting.fallback ??
    SAMPLES[setting.path.join('.')] ??
    setting.choices?.[0] ??
    (setting.kind === 'secret' ? secretSample(setting) : '');
  return `${settingName(setting.path.at(-1)!)} = ${makeValue(value)}`;
};

/**
 * Writes a whole file with every setting, its title, and its default behind a `#`: valid as it stands, and equal to no file at
 * all.
 */
export function makeExampleConfig(): string {
  const lines = [
    '# Settings of jadoube. What is behind a # is the default or a sample; take the # away to set it.',
    '# Paths are relative to this file. Every setting is also a flag: [event] name is --event-name.',
  ];
  for (const { name, title, settings } of SECTIONS) {
    lines.push('', `# ${title}`, `[${name}]`);
    for (const setting of settings) lines.push(`# ${setting.title}`, `#${makeLine(setting)}`);
  }
  for (const { name, settings } of OUTPUT_KINDS) {
    lines.push('', `# Where games go: ${name}`, '#[[outputs]]', `#type = "${name}"`);
    for (const setting of settings) {
      lines.push(
        `# ${setting.title}${setting.isRequired ? ' (has to be said)' : ''}`,
        `#${makeLine(setting)}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
