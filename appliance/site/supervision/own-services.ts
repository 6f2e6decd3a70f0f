import type { WatchedService } from '../host/site-watch.ts';
import { type AskWorkers, workersFault } from './media-workers.ts';

/** An outbox whose next attempt is this late does not move. */
const OVERDUE_MS = 30_000;

/** A listener of SIP without a certificate. */
export interface PlainListener {
  readonly transport: 'UDP' | 'TCP';
  readonly host: string;
  readonly port: number;
}

export interface OwnServicePorts {
  /** A listener of SIP is configured. */
  readonly opensSip: boolean;
  readonly bound: () => readonly {
    readonly transport: string;
    readonly host: string;
    readonly port: number;
  }[];
  /** Undefined: there is no listener to ask. */
  readonly probeSip: (listener: PlainListener | undefined) => Promise<string | undefined>;
  readonly workers: AskWorkers;
  /** Writes to the journal; rejects when the disk refuses. */
  readonly write: () => Promise<unknown>;
  readonly storable: () => boolean;
  /** When the outbox is to move next, monotonic ms; undefined: nothing waits. */
  readonly outboxDueMs: () => number | undefined;
  readonly monoMs: () => number;
  /** Resolves to the code and the message of the fault that keeps the folder of recordings from being written. */
  readonly recordingFault: () => Promise<
    { readonly code?: string | undefined; readonly message: string } | undefined
  >;
}

/**
 * The services of this host, and how each is asked whether it serves. Chosen: they live in one process, where threads that
 * died are started again by whoever owns them; what is watched here is whether that helps.
 */
export function ownServices(ports: OwnServicePorts): readonly WatchedService[] {
  const { bound, monoMs, opensSip, outboxDueMs, probeSip, recordingFault, storable, workers, write } = ports;
  return [
    ...(opensSip ? [service('sip', () => sipFault(bound(), probeSip))] : []),
    service('media', async () => workersFault(await workers())),
    service('alarm', async () => {
      // A write of its own: nothing may have been stored since the disk went wrong, or since it came back.
      await write();
      return storable() ? undefined : 'the journal cannot be written';
    }),
    service('callback', async () => {
      const lateMs = monoMs() - (outboxDueMs() ?? Number.POSITIVE_INFINITY);
      return lateMs > OVERDUE_MS ? `the outbox is ${Math.round(lateMs / 1_000)} s late` : undefined;
    }),
    service('recording', async () => {
      const fault = await recordingFault();
      // Nothing was recorded yet: the folder is made with the first recording, beside the journal.
      return fault === undefined || fault.code === 'ENOENT' ? undefined : fault.message;
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
  stop: async () => undefined,
});

/** Every listener of UDP, of IPv4 and of IPv6, must answer; without any, those of TCP. */
async function sipFault(
  bound: ReturnType<OwnServicePorts['bound']>,
  probeSip: OwnServicePorts['probeSip'],
): Promise<string | undefined> {
  const of = (name: PlainListener['transport']): readonly PlainListener[] =>
    bound.flatMap(({ transport, host, port }) =>
      transport === name ? [{ transport: name, host, port }] : [],
    );
  const udp = of('UDP');
  const asked = udp.length > 0 ? udp : of('TCP');
  if (asked.length === 0) return await probeSip(undefined);
  const faults = await Promise.all(asked.map(probeSip));
  return faults.find((fault) => fault !== undefined);
}
