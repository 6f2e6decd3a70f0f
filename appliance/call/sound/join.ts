import type { DeliveryService } from '../../delivery/delivery-desk.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarm-desk.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { CallControl } from '../control/index.ts';
import type { SoundAdapters } from './port.ts';
import { CallSound } from './sound-desk.ts';

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
