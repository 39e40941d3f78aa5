import { deskService } from '../desk/desk-service.ts';
import { lightsService } from '../lights/lights-service.ts';
import { livechessService } from '../livechess/livechess-service.ts';
import { PUBLISH, publishService } from '../publish/publish-service.ts';
import type { NamedService } from './service.ts';

/** Everything that `serve` runs beside the recorder. */
export const SERVICES: readonly NamedService[] = [
  { name: 'desk', service: deskService },
  { name: PUBLISH, service: publishService },
  { name: 'livechess', service: livechessService },
  { name: 'lights', service: lightsService },
];
