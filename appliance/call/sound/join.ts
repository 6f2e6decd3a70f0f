import type { DeliveryDesk } from '../../delivery/delivery-desk.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarmDesk } from '../../delivery/platform-alarm-desk.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { CallDesk } from '../control/index.ts';
import type { SoundRim } from './port.ts';
import { SoundDesk } from './sound-desk.ts';

/** Sound beside the calls: both hear what the media engine tells, in the same turns. */
export function joinSound(
  ports: KernelPorts & BytePorts & TenantPorts & JournalPorts & MediaPorts,
  rim: SoundRim,
  parts: {
    readonly calls: CallDesk;
    readonly delivery: DeliveryDesk;
    readonly alarms: PlatformAlarmDesk;
  },
): SoundDesk {
  const { calls, delivery, alarms } = parts;
  const desk = new SoundDesk(ports, { rim, delivery, alarms, turn: (work) => calls.turn(work) });
  const { media } = ports;
  const toCalls = media.onEvent;
  media.onEvent = (event) => {
    calls.turn(() => desk.heard(event));
    toCalls(event);
  };
  return desk;
}
