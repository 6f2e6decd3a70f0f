import { addressPolicy } from '#shared/matching/index.ts';
import { CloudUserAgents } from '../call/cloud-ua/index.ts';
import type { CallControl } from '../call/control/index.ts';
import { MediaServices } from '../call/media-service/index.ts';
import { RecordingServices } from '../call/recording/index.ts';
import { type CallSound, joinSound } from '../call/sound/index.ts';
import type { DeliveryService } from '../delivery/delivery-service.ts';
import type { PlatformAlarms } from '../delivery/platform-alarms.ts';
import type { EnginePorts } from './engine-port.ts';
import type { EngineOptions } from './engine-setting.ts';

const PUBLIC_ONLY = addressPolicy({ allowPrivate: [], listeners: () => [], ownAddresses: () => [] });

const ownFamilyOnly =
  (own: string) =>
  (remote: string): string | undefined =>
    own.includes(':') === remote.includes(':') ? own : undefined;

interface ProgramParts {
  readonly calls: CallControl;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
}

/** Targets of calls other than people, devices and bridges. */
interface Programs {
  readonly sound: CallSound | undefined;
  readonly recordings: RecordingServices | undefined;
  readonly media: MediaServices;
  readonly remote: CloudUserAgents;
}

/** Programs of applications that take part in calls: media services, cloud SIP user agents, recording services. */
export function openPrograms(
  ports: EnginePorts,
  setting: Pick<EngineOptions, 'audioPolicy' | 'audioTowards'>,
  parts: ProgramParts,
): Programs {
  const { calls, delivery } = parts;
  const audio = {
    policy: setting.audioPolicy ?? PUBLIC_ONLY,
    addressTowards: setting.audioTowards ?? ownFamilyOnly(ports.place.address),
  };
  const sound = ports.sound && joinSound(ports, ports.sound, parts);
  const recordings =
    sound && ports.sound && new RecordingServices(ports, { calls, delivery, sound, adapters: ports.sound });
  if (sound && recordings) sound.streamsShed.add(() => recordings.shed());
  return {
    sound,
    recordings,
    media: new MediaServices(ports, { ...parts, sound, audio }),
    remote: new CloudUserAgents(ports, { calls, delivery, audio }),
  };
}
