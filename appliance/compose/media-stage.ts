import { isIP } from 'node:net';
import type { ApplianceConfig } from '../config.ts';
import type { Log } from '../io/system/index.ts';
import { openWebRtc } from '../io/webrtc/index.ts';
import { openPromptFiles } from './prompt.ts';
import type { OpenSound } from './sound.ts';

/**
 * Second stage: what the host needs of audio. WebRTC, and prompts with their files, which a configuration brings; recordings and
 * streams (`sound.ts`) need the tenant and follow the host.
 */
export function openMediaStage(
  config: ApplianceConfig,
  parts: {
    readonly trustPem: string | undefined;
    readonly log: Log;
    readonly closing: (() => unknown)[];
  },
) {
  const { trustPem, log, closing } = parts;
  const webrtc = openWebRtc({
    ports: config.icePorts,
    extraHosts: isIP(config.address) === 0 ? [] : [config.address],
  });
  closing.push(() => webrtc.end());
  const promptFiles = openPromptFiles(config, { trustPem, log });
  closing.push(() => promptFiles.prompts.close());
  return { webrtc, promptFiles };
}

/** Audio as the engine has it, once there is a host. */
export interface MediaStage extends Pick<ReturnType<typeof openMediaStage>, 'webrtc'> {
  readonly sound: OpenSound;
}
