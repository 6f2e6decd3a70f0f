import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { CallControl } from '../control/index.ts';
import { CallSound } from './call-sound.ts';
import type { SoundAdapters } from './port.ts';

/** Sound beside the calls: both hear what the media engine tells, in the same turns. */
export function joinSound(
  ports: KernelPorts & BytePorts & TenantPorts & JournalPorts & MediaPorts,
  rim: SoundAdapters,
  dependencies: {
    readonly calls: CallControl;
    readonly delivery: DeliveryService;
    readonly alarms: PlatformAlarms;
  },
): CallSound {
  const { calls, delivery, alarms } = dependencies;
  const desk = new CallSound(ports, { rim, delivery, alarms, turn: (work) => calls.turn(work) });
  const { media } = ports;
  const toCalls = media.onEvent;
  media.onEvent = (event) => {
    calls.turn(() => desk.heard(event));
    toCalls(event);
  };
  return desk;
}
