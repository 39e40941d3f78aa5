import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { BoardError } from '../../core/board-error.ts';
import type { Result } from '../../core/result.ts';
import { CONFIG, type Config, schemaName, settingName } from './config.ts';
import { locateSetting } from './locate.ts';
import { OUTPUT_KINDS, SECTIONS } from './setting.ts';

/** The file that is read when nobody names another, in the folder in which the program is started. */
export const CONFIG_FILE = 'jadoube.toml';

/** A setting that was given beside the file; it outweighs it. */
export interface GivenSetting {
  /** Names in the schema; a number is a place in a list, one behind its end adds to it. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** How it was given, for faults: `--event-name`. */
  readonly from: string;
}

/** The settings as they count. */
export interface LoadedConfig {
  readonly config: Config;
  /** The file that was read; undefined when there is none. */
  readonly file: string | undefined;
}

/** What is wrong with the settings: all of it, each with file, line and field. */
export type ConfigFaults = readonly BoardError[];

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) !== Date.prototype &&
  !Array.isArray(value);

/**
 * Reads the settings: the file, if there is one, and over it what was given beside it. `file` undefined: `jadoube.toml` when
 * that is there, else nothing but defaults. Fails with everything that is wrong (CONFIG_SYNTAX, CONFIG_INVALID,
 * FILE_UNREADABLE). Paths in the file are relative to its folder.
 */
export function loadConfig(
  file: string | undefined,
  given: readonly GivenSetting[] = [],
): Result<LoadedConfig, ConfigFaults> {
  const name = file ?? CONFIG_FILE;
  let text: string | undefined;
  try {
    text = readFileSync(name, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (file !== undefined || !isMissing) {
      const detail = isMissing ? 'it is not there' : cause instanceof Error ? cause.message : String(cause);
      return failed([new BoardError('FILE_UNREADABLE', { file: name, detail }, cause)]);
    }
  }
  return parseConfig(text, name, given);
}

/** The same from a text; undefined when there is no file. */
export function parseConfig(
  text: string | undefined,
  file: string,
  given: readonly GivenSetting[] = [],
): Result<LoadedConfig, ConfigFaults> {
  let tree: Tree = {};
  if (text !== undefined) {
    try {
      tree = renamed(parse(text), []) as Tree;
    } catch (cause) {
      if (!(cause instanceof TomlError)) throw cause;
      const detail = cause.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
      return failed([new BoardError('CONFIG_SYNTAX', { file, line: cause.line, detail }, cause)]);
    }
    anchorPaths(tree, dirname(resolve(file)));
  }
  for (const { path, value } of given) put(tree, path, value);
  const parsed = CONFIG.safeParse(tree);
  if (parsed.success) {
    return { ok: true, value: { config: parsed.data, file: text === undefined ? undefined : file } };
  }
  return failed(parsed.error.issues.flatMap((issue) => faultsOf(issue, text ?? '', file, given)));
}

const failed = (fault: ConfigFaults): Result<never, ConfigFaults> => ({ ok: false, fault });

function faultsOf(
  issue: z.core.$ZodIssue,
  text: string,
  file: string,
  given: readonly GivenSetting[],
): BoardError[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => faultAt([...path, key], 'there is no such setting', text, file, given));
  }
  const detail =
    issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
      ? 'has to be said'
      : issue.message.replace(/^Invalid /, 'invalid ');
  return [faultAt(path, detail, text, file, given)];
}

function faultAt(
  path: readonly (string | number)[],
  detail: string,
  text: string,
  file: string,
  given: readonly GivenSetting[],
): BoardError {
  const field = path.reduce<string>(
    (all, part) =>
      typeof part === 'number' ? `${all}[${part + 1}]` : `${all}${all === '' ? '' : '.'}${settingName(part)}`,
    '',
  );
  const flag = given.find((one) => one.path.every((part, i) => part === path[i]));
  if (flag !== undefined)
    return new BoardError('CONFIG_INVALID', { file: flag.from, line: 1, field, detail });
  const line = locateSetting(text, path, schemaName);
  return new BoardError('CONFIG_INVALID', { file, line, field, detail });
}

/** No setting stands deeper: what does is refused with the name above it. */
const MOST_DEPTH = 8;

/** Names as the schema has them; what is under a free key keeps it. */
function renamed(value: unknown, path: readonly string[], depth = 0): unknown {
  if (depth > MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, path, depth + 1));
  if (!isTree(value)) return value;
  if (path.at(-1) === 'rounds') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const known = schemaName(name);
      return [known, renamed(inner, [...path, known], depth + 1)];
    }),
  );
}

/** Makes paths of files absolute, from the folder of the file. */
function anchorPaths(tree: Tree, folder: string): void {
  const anchor = (holder: unknown, name: string, kind: string | undefined): void => {
    if (!isTree(holder)) return;
    const value = holder[name];
    if (typeof value !== 'string' || value === '') return;
    if (kind === 'path') holder[name] = resolve(folder, value);
    if (kind === 'secret' && value.startsWith('file:'))
      holder[name] = `file:${resolve(folder, value.slice(5))}`;
  };
  for (const { settings } of SECTIONS)
    for (const { path, kind } of settings) anchor(tree[path[0]!], path[1]!, kind);
  for (const output of Array.isArray(tree.outputs) ? (tree.outputs as unknown[]) : []) {
    const settings = OUTPUT_KINDS.find(({ name }) => isTree(output) && output.type === name)?.settings ?? [];
    for (const { path, kind } of settings) anchor(output, path[1]!, kind);
  }
}

function put(tree: Tree, path: readonly (string | number)[], value: unknown): void {
  let at: Tree | unknown[] = tree;
  for (const [i, part] of path.slice(0, -1).entries()) {
    const holder = at as Record<string | number, unknown>;
    const next = holder[part];
    if (!isTree(next) && !Array.isArray(next)) holder[part] = typeof path[i + 1] === 'number' ? [] : {};
    at = holder[part] as Tree | unknown[];
  }
  (at as Record<string | number, unknown>)[path.at(-1)!] = value;
}
