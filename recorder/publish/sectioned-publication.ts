import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { DocumentChange } from './documents.ts';
import type { Hold } from './public-event.ts';
import { makeEventsPage, parsePageFile } from './public-pages.ts';
import { slugOf } from './public-source.ts';
import {
  createPublication,
  type Publication,
  type PublicationEvent,
  type PublicationOptions,
} from './publication.ts';

/** An event of one section; holds are for all. */
export type SectionedEvent =
  | (Exclude<PublicationEvent, { type: 'holds' }> & { readonly section: string })
  | Extract<PublicationEvent, { type: 'holds' }>;

export interface SectionedPublication extends Machine<SectionedEvent, DocumentChange> {
  text(name: string): string | undefined;
  names(): string[];
}

interface Part {
  readonly prefix: string;
  readonly publication: Publication;
  wakeAtMs: number | undefined;
  /** What the event of the section is called. */
  name: string;
}

/** Creates one output's view of an event of several sections, each with a folder of its own; one without a name has none. */
export function createSectionedPublication(options: PublicationOptions = {}): SectionedPublication {
  const parts = new Map<string, Part>();
  let holds: readonly Hold[] = [];

  const run = (part: Part, event: PublicationEvent | Tick): DocumentChange[] => {
    const { outputs, wakeAtMs } = part.publication.step(event);
    part.wakeAtMs = wakeAtMs;
    return outputs.map(({ name, text }) => ({ name: `${part.prefix}${name}`, text }));
  };

  const partOf = (section: string, atMs: number): Part => {
    let part = parts.get(section);
    if (part === undefined) {
      const prefix = section === '' ? '' : `${slugOf(section) || 'section'}/`;
      part = { prefix, publication: createPublication(options), wakeAtMs: undefined, name: section };
      parts.set(section, part);
      run(part, { type: 'holds', atMs, holds });
    }
    return part;
  };

  const hear = (event: SectionedEvent | Tick): DocumentChange[] => {
    switch (event.type) {
      case 'tick':
        return [...parts.values()].flatMap((part) =>
          part.wakeAtMs !== undefined && part.wakeAtMs <= event.atMs ? run(part, event) : [],
        );
      case 'holds':
        holds = event.holds;
        return [...parts.values()].flatMap((part) => run(part, event));
      default: {
        const part = partOf(event.section, event.atMs);
        if (event.type === 'event') part.name = event.event.name;
        return run(part, event);
      }
    }
  };

  const hasPages = options.documents?.includes('page') === true;
  /** Sections that have a folder each are found from above. */
  const sectionsPage = (name: string): string | undefined => {
    const parsed = parsePageFile(name);
    const sections = [...parts.values()].filter(({ publication }) => publication.names().length > 0);
    if (parsed?.page.type !== 'round' || sections.length === 0) return undefined;
    return makeEventsPage(
      sections.map(({ prefix, name: title }) => ({ name: title, folder: prefix })),
      parsed.language,
    );
  };

  return {
    step(event): Step<DocumentChange> {
      const outputs = hear(event);
      const wakes = [...parts.values()].flatMap(({ wakeAtMs }) => wakeAtMs ?? []);
      return wakes.length === 0 ? { outputs } : { outputs, wakeAtMs: Math.min(...wakes) };
    },
    text(name) {
      for (const { prefix, publication } of parts.values()) {
        const text = name.startsWith(prefix) ? publication.text(name.slice(prefix.length)) : undefined;
        if (text !== undefined) return text;
      }
      return hasPages ? sectionsPage(name) : undefined;
    },
    names: () =>
      [...parts.values()].flatMap(({ prefix, publication }) =>
        publication.names().map((name) => `${prefix}${name}`),
      ),
  };
}
