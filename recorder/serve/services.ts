import type { NamedService } from './service.ts';

/** Everything that `serve` runs beside the recorder. */
export const SERVICES: readonly NamedService[] = [];
