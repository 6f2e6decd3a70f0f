import { isIP } from 'node:net';
import type { ApplianceConfig } from '../config.ts';
import type { Log } from '../io/system/index.ts';
import { openWebRtc } from '../io/webrtc/index.ts';
import type { DamageReports } from '../site/supervision/index.ts';
import type { LateParts } from './late-part.ts';
import { openSound } from './sound.ts';

/** Second stage: audio beside the media threads, which `main.ts` has begun: WebRTC, prompts, recordings, streams. */
export function openMediaStage(
  config: ApplianceConfig,
  parts: {
    readonly trustPem: string | undefined;
    readonly log: Log;
    readonly damage: Pick<DamageReports, 'found'>;
    readonly late: Pick<LateParts, 'site'>;
    readonly closing: (() => unknown)[];
  },
) {
  const { trustPem, log, late, closing, damage } = parts;
  const webrtc = openWebRtc({
    ports: config.icePorts,
    extraHosts: isIP(config.address) === 0 ? [] : [config.address],
  });
  closing.push(() => webrtc.end());
  const sound = openSound(config, {
    trustPem,
    log,
    tenant: () => late.site.now.tenant,
    identity: () => late.site.now.identity,
    damaged: damage.found,
    revision: () => late.site.now.tenantRevision,
  });
  closing.push(() => sound.close());
  return { webrtc, sound };
}

export type MediaStage = ReturnType<typeof openMediaStage>;
