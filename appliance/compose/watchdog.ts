import type { Listen } from '#shared/setting/index.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { isOwnAddress, type Log, probeHttps, probeSip, probeStream } from '../io/system/index.ts';
import { type ListenerQuestion, Pulse } from '../site/supervision/index.ts';

/** Everything that listens now, with the real ports. */
export interface WatchedListeners {
  readonly sip: () => SipNetwork['bound'];
  readonly https: () => readonly Listen[];
  readonly dc09: () => readonly Listen[];
  readonly commandQueue: () => readonly Listen[];
  readonly peer: () => readonly Listen[];
}

interface PulseParts {
  readonly listeners: WatchedListeners;
  readonly media: Pick<OpenMedia, 'load'>;
  readonly journal: Pick<OpenJournal, 'commit'>;
  readonly log: Log;
  /** Whether this machine has an address now; seen by tests. */
  readonly has?: (host: string) => boolean;
}

/** Asks the parts of this appliance that can hang; resolves to those that do not answer. */
export function pulseOf({
  listeners,
  media,
  journal,
  log,
  has = isOwnAddress,
}: PulseParts): () => Promise<readonly string[]> {
  const pulse = new Pulse({
    listeners: () => questions(listeners),
    workers: () => media.load(),
    write: () => journal.commit([{ kind: 'runningMs', ms: 0 }]).catch(() => undefined),
    has,
    log,
  });
  return () => pulse.faults();
}

function questions({ sip, https, dc09, commandQueue, peer }: WatchedListeners): readonly ListenerQuestion[] {
  const each = (
    at: readonly Listen[],
    ask: (at: Listen) => Promise<string | undefined>,
  ): readonly ListenerQuestion[] => at.map((one) => ({ host: one.host, ask: () => ask(one) }));
  return [
    ...sip().flatMap(({ transport, host, port }) =>
      transport === 'UDP' || transport === 'TCP' || transport === 'TLS'
        ? [{ host, ask: () => probeSip({ transport, host, port }) }]
        : [],
    ),
    ...each(https(), probeHttps),
    // UDP of DC-09 is not asked: whatever it answers would be an alarm.
    ...each(dc09(), (at) => probeStream('DC-09', at, false)),
    ...each(commandQueue(), (at) => probeStream('the command queue', at, true)),
    ...each(peer(), (at) => probeStream('the link to the other hosts', at, true)),
  ];
}
