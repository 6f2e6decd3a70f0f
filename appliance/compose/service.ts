import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { probeSip } from '../io/system/index.ts';
import type { WatchedService } from '../site/host/site-watch.ts';
import { ownServices } from '../site/supervision/index.ts';
import { clock } from './adapters.ts';

interface ServiceDependencies {
  readonly network: SipNetwork;
  readonly media: OpenMedia;
  readonly runtime: ApplianceEngine;
  readonly journal: OpenJournal;
  readonly storable: () => boolean;
}

/** The services of this host over its sockets, threads and files. */
export const openServices = (
  { data, sip }: ApplianceConfig,
  { network, media, runtime, journal, storable }: ServiceDependencies,
): readonly WatchedService[] =>
  ownServices({
    opensSip: sip.udp.length > 0 || sip.tcp.length > 0,
    bound: () => network.bound,
    probeSip,
    workers: () => media.load(),
    write: () => journal.commit([{ kind: 'runningMs', ms: 0 }]),
    storable,
    outboxDueMs: () => runtime.delivery.wakeDueMs,
    monoMs: clock.monoMs,
    recordingFault: () =>
      access(join(data, 'recording'), constants.W_OK).then(
        () => undefined,
        ({ code, message }: NodeJS.ErrnoException) => ({ code, message }),
      ),
  });
