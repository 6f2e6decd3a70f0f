import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplianceConfig } from '../config.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { probeSip, type SipListener } from '../io/system/index.ts';
import type { WatchedService } from '../site/host/site-watch.ts';

/** An outbox whose next attempt is this late does not move. */
const OVERDUE_MS = 30_000;

interface ServiceDependencies {
  readonly network: SipNetwork;
  readonly media: OpenMedia;
  readonly runtime: ApplianceEngine;
  readonly journal: OpenJournal;
  readonly storable: () => boolean;
  readonly ports: EnginePorts;
}

const nothing = async (): Promise<void> => undefined;

/**
 * The services of this host, and how each is asked whether it serves. Chosen: they live in one process, where threads that
 * died are started again by whoever owns them; what is watched here is whether that helps.
 */
export function ownServices(
  config: ApplianceConfig,
  { network, media, runtime, journal, storable, ports }: ServiceDependencies,
): readonly WatchedService[] {
  const opens = config.sip.udp.length > 0 || config.sip.tcp.length > 0;
  return [
    ...(opens ? [service('sip', () => sipFault(network.bound))] : []),
    service('media', async () => {
      const workers = await media.load();
      const gone = workers.filter((load) => load === undefined).length;
      return gone === 0 ? undefined : `${gone} of ${workers.length} media workers do not answer`;
    }),
    service('alarm', async () => {
      // A write of its own: nothing may have been stored since the disk went wrong, or since it came back.
      await journal.commit([{ kind: 'runningMs', ms: 0 }]);
      return storable() ? undefined : 'the journal cannot be written';
    }),
    service('callback', async () => {
      const lateMs = ports.clock.monoMs() - (runtime.delivery.wakeDueMs ?? Number.POSITIVE_INFINITY);
      return lateMs > OVERDUE_MS ? `the outbox is ${Math.round(lateMs / 1_000)} s late` : undefined;
    }),
    service('recording', async () => {
      const folder = join(config.data, 'recording');
      return await access(folder, constants.W_OK).then(
        () => undefined,
        // Nothing was recorded yet: the folder is made with the first recording, beside the journal.
        (cause: NodeJS.ErrnoException) => (cause.code === 'ENOENT' ? undefined : cause.message),
      );
    }),
  ];
}

const service = (name: string, probe: WatchedService['probe']): WatchedService => ({
  name,
  start: async () => {
    const fault = await probe();
    if (fault !== undefined) throw new Error(fault);
  },
  probe,
  stop: nothing,
});

type Bound = { readonly transport: string; readonly host: string; readonly port: number };

/** Every listener of UDP, of IPv4 and of IPv6, must answer; without any, those of TCP. */
async function sipFault(bound: readonly Bound[]): Promise<string | undefined> {
  const of = (name: 'UDP' | 'TCP'): readonly SipListener[] =>
    bound.flatMap(({ transport, host, port }) =>
      transport === name ? [{ transport: name, host, port }] : [],
    );
  const udp = of('UDP');
  const asked = udp.length > 0 ? udp : of('TCP');
  if (asked.length === 0) return await probeSip(undefined);
  const faults = await Promise.all(asked.map(probeSip));
  return faults.find((fault) => fault !== undefined);
}
