import { z } from 'zod';
import { CONFIG, settingName } from '../config/config.ts';
import { makeExampleConfig } from '../config/example.ts';
import { CONFIG_FILE, loadConfig } from '../config/load-config.ts';
import { readSecret } from '../config/secret.ts';
import { OUTPUT_KINDS, SECTIONS } from '../config/setting.ts';
import { plainText } from '../view/display-text.ts';
import { makeErrorText } from '../view/fault-text.ts';
import type { Io } from './io.ts';
import { givenSettings } from './setting-flags.ts';

/** Says whether the settings can be used: every fault with line and field, and every secret that cannot be read. Status 1 then. */
export function runConfigCheck(options: Readonly<Record<string, unknown>>, io: Io): number {
  const file = options.config as string | undefined;
  const loaded = loadConfig(file, givenSettings(options));
  if (!loaded.ok) {
    for (const fault of loaded.fault) io.err.write(makeErrorText(fault));
    return 1;
  }
  const { config } = loaded.value;
  let status = 0;
  for (const [field, reference] of secretsOf(config)) {
    try {
      readSecret(reference, io.env);
    } catch (error) {
      status = 1;
      io.err.write(`${field}: ${makeErrorText(error as Parameters<typeof makeErrorText>[0])}`);
    }
  }
  if (options.json === true) {
    io.out.write(`${JSON.stringify(config)}\n`);
    return status;
  }
  const read = loaded.value.file;
  io.out.write(
    plainText(
      read === undefined ? `there is no ${CONFIG_FILE} here: all settings are defaults` : `${read}: fine`,
    ),
  );
  io.out.write('\n');
  for (const [field, value] of changedSettings(config))
    io.out.write(`  ${plainText(`${field} = ${JSON.stringify(value)}`)}\n`);
  return status;
}

/** Prints a whole file with every setting and its default. */
export function runConfigExample(io: Io): number {
  io.out.write(makeExampleConfig());
  return 0;
}

/** Prints the schema as JSON Schema, for editors that complete and check TOML by one. */
export function runConfigSchema(io: Io): number {
  io.out.write(
    `${JSON.stringify(dashed(z.toJSONSchema(CONFIG, { io: 'input', unrepresentable: 'any' })), null, 2)}\n`,
  );
  return 0;
}

/** Names of properties as the file has them. */
function dashed(schema: unknown, key = ''): unknown {
  if (Array.isArray(schema))
    return schema.map((item) => (key === 'required' ? settingName(String(item)) : dashed(item)));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      key === 'properties' ? settingName(name) : name,
      dashed(value, name),
    ]),
  );
}

type Values = Readonly<Record<string, unknown>>;

function* secretsOf(config: Values): Generator<[field: string, reference: string]> {
  for (const { settings } of SECTIONS) {
    for (const { path, kind } of settings) {
      const value = (config[path[0]!] as Values)[path[1]!];
      if (kind === 'secret' && typeof value === 'string') yield [path.map(settingName).join('.'), value];
    }
  }
  for (const [i, output] of (config.outputs as readonly Values[]).entries()) {
    for (const { path, kind } of OUTPUT_KINDS.find(({ name }) => name === output.type)?.settings ?? []) {
      const value = output[path[1]!];
      if (kind === 'secret' && typeof value === 'string')
        yield [`outputs[${i + 1}].${settingName(path[1]!)}`, value];
    }
  }
}

/** Settings that are not what they are without a file. */
function* changedSettings(config: Values): Generator<[field: string, value: unknown]> {
  for (const { settings } of SECTIONS) {
    for (const { path, fallback } of settings) {
      const value = (config[path[0]!] as Values)[path[1]!];
      if (value !== undefined && JSON.stringify(value) !== JSON.stringify(fallback))
        yield [path.map(settingName).join('.'), value];
    }
  }
  for (const [i, output] of (config.outputs as readonly Values[]).entries())
    yield [
      `outputs[${i + 1}]`,
      Object.fromEntries(Object.entries(output).map(([name, value]) => [settingName(name), value])),
    ];
}
