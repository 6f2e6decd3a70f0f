import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts } from '../../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { CallControl } from '../control/index.ts';
import { CallSound } from './call-sound.ts';
import type { SoundAdapters } from './port.ts';

/** Sound of calls, which works in their turns. */
export function joinSound(
  ports: KernelPorts & TimerPorts & BytePorts & TenantPorts & JournalPorts & MediaPorts,
  adapters: SoundAdapters,
  dependencies: {
    readonly calls: CallControl;
    readonly delivery: DeliveryService;
    readonly alarms: PlatformAlarms;
  },
): CallSound {
  const { calls, delivery, alarms } = dependencies;
  return new CallSound(ports, { adapters, delivery, alarms, turn: (work) => calls.turn(work) });
}
