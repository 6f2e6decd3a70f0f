import { addressPolicy } from '#shared/matching/index.ts';
import type { CallDesk } from './call/index.ts';
import { CloudUaDesk } from './cloud-ua/index.ts';
import type { DeliveryDesk } from './delivery-desk.ts';
import { MediaServiceDesk } from './media-service/index.ts';
import type { PlatformAlarmDesk } from './platform-alarm-desk.ts';
import { RecordingDesk } from './recording/index.ts';
import type { RuntimeSetting } from './runtime-face.ts';
import type { RuntimePorts } from './runtime-port.ts';
import { joinSound, type SoundDesk } from './sound/index.ts';

const PUBLIC_ONLY = addressPolicy({ allowPrivate: [], listeners: () => [], ownAddresses: () => [] });

const ownFamilyOnly =
  (own: string) =>
  (remote: string): string | undefined =>
    own.includes(':') === remote.includes(':') ? own : undefined;

interface ProgramParts {
  readonly calls: CallDesk;
  readonly delivery: DeliveryDesk;
  readonly alarms: PlatformAlarmDesk;
}

/** What calls may lead to beside people, devices and bridges. */
interface Programs {
  readonly sound: SoundDesk | undefined;
  readonly recordings: RecordingDesk | undefined;
  readonly media: MediaServiceDesk;
  readonly remote: CloudUaDesk;
}

/** Programs of applications that take part in calls: media services, cloud SIP user agents, recording services. */
export function openPrograms(
  ports: RuntimePorts,
  setting: Pick<RuntimeSetting, 'audioPolicy' | 'audioTowards'>,
  parts: ProgramParts,
): Programs {
  const { calls, delivery } = parts;
  const audio = {
    policy: setting.audioPolicy ?? PUBLIC_ONLY,
    addressTowards: setting.audioTowards ?? ownFamilyOnly(ports.place.address),
  };
  const sound = ports.sound && joinSound(ports, ports.sound, parts);
  return {
    sound,
    recordings:
      sound && ports.sound && new RecordingDesk(ports, { calls, delivery, sound, rim: ports.sound }),
    media: new MediaServiceDesk(ports, { ...parts, sound, audio }),
    remote: new CloudUaDesk(ports, { calls, delivery, audio }),
  };
}
