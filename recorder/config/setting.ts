/** The settings of the schema one by one: for flags, for the example file, for paths that are relative to it. */
import type { z } from 'zod';
import { CONFIG, OUTPUT, type SettingKind, settingName } from './config.ts';

/** One setting that holds a value. */
export interface Setting {
  /** Names in the schema: `event`, `timeControl`. */
  readonly path: readonly string[];
  readonly title: string;
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'table';
  readonly kind: SettingKind | undefined;
  readonly choices: readonly string[] | undefined;
  /** Undefined when it may be absent or has to be there. */
  readonly fallback: unknown;
  readonly isRequired: boolean;
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly entries?: Readonly<Record<string, string>>;
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

/** Reads a field through its defaults and optional wrappings. */
function readField(path: readonly string[], schema: z.ZodType): Setting {
  let inner = schema;
  let fallback: unknown;
  let isRequired = true;
  let meta = inner.meta();
  for (
    let definition = definitionOf(inner);
    definition.innerType !== undefined;
    definition = definitionOf(inner)
  ) {
    isRequired = false;
    if (definition.type === 'default' || definition.type === 'prefault') fallback ??= definition.defaultValue;
    inner = definition.innerType;
    meta ??= inner.meta();
  }
  const { type, entries } = definitionOf(inner);
  return {
    path,
    title: meta?.title ?? path.at(-1)!,
    type:
      type === 'boolean'
        ? 'flag'
        : type === 'number'
          ? 'number'
          : type === 'array'
            ? 'list'
            : type === 'record'
              ? 'table'
              : 'text',
    kind: meta?.kind as SettingKind | undefined,
    choices: entries === undefined ? undefined : Object.values(entries),
    fallback,
    isRequired,
  };
}

/** A section of the file, with its settings in order. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly Setting[];
}

type Shape = Readonly<Record<string, z.ZodType>>;
const shapeOf = (schema: z.ZodType): Shape => (schema as unknown as { readonly shape: Shape }).shape;

/** Every section but the outputs. */
export const SECTIONS: readonly Section[] = Object.entries(shapeOf(CONFIG))
  .filter(([name]) => name !== 'outputs')
  .map(([name, schema]) => {
    let inner = schema;
    let meta = inner.meta();
    while (definitionOf(inner).innerType !== undefined) {
      inner = definitionOf(inner).innerType!;
      meta ??= inner.meta();
    }
    return {
      name,
      title: meta?.title ?? name,
      settings: Object.entries(shapeOf(inner)).map(([field, of]) => readField([name, field], of)),
    };
  });

/** The kinds of output, each with its settings but `type`. */
export const OUTPUT_KINDS: readonly Section[] = OUTPUT.options.map((option) => {
  const { type, ...fields } = shapeOf(option);
  const name = String((type!._zod.def as unknown as { readonly values: readonly string[] }).values[0]);
  return {
    name,
    title: name,
    settings: Object.entries(fields).map(([field, of]) => readField(['outputs', field], of)),
  };
});

/** The flag of a setting: `--event-time-control`. */
export const flagOf = ({ path }: Setting): string => `--${path.map(settingName).join('-')}`;
