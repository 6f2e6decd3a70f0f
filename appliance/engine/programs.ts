import { addressPolicy } from '#shared/matching/index.ts';
import { CloudUaDesk } from '../call/cloud-ua/index.ts';
import type { CallDesk } from '../call/control/index.ts';
import { MediaServiceDesk } from '../call/media-service/index.ts';
import { RecordingDesk } from '../call/recording/index.ts';
import { joinSound, type SoundDesk } from '../call/sound/index.ts';
import type { DeliveryDesk } from '../delivery/delivery-desk.ts';
import type { PlatformAlarmDesk } from '../delivery/platform-alarm-desk.ts';
import type { RuntimeSetting } from './runtime-face.ts';
import type { RuntimePorts } from './runtime-port.ts';

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
  const recordings =
    sound && ports.sound && new RecordingDesk(ports, { calls, delivery, sound, rim: ports.sound });
  if (sound && recordings) sound.onShed = () => recordings.shed();
  return {
    sound,
    recordings,
    media: new MediaServiceDesk(ports, { ...parts, sound, audio }),
    remote: new CloudUaDesk(ports, { calls, delivery, audio }),
  };
}
