import { deskService } from '../desk/desk-service.ts';
import type { NamedService } from './service.ts';

/** Everything that `serve` runs beside the recorder. */
export const SERVICES: readonly NamedService[] = [{ name: 'desk', service: deskService }];
