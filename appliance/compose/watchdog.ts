import type { Listen } from '#shared/setting/index.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { isOwnAddress, type Log, probeHttps, probeSip, probeStream } from '../io/system/index.ts';
import { HealthCheck, listenerQuestions } from '../site/supervision/index.ts';

/** Everything that listens now, with the real ports. */
export interface WatchedListeners {
  readonly sip: () => SipNetwork['bound'];
  readonly https: () => readonly Listen[];
  readonly dc09: () => readonly Listen[];
  readonly commandQueue: () => readonly Listen[];
  readonly peer: () => readonly Listen[];
}

interface WatchdogDependencies {
  readonly listeners: WatchedListeners;
  readonly media: Pick<OpenMedia, 'load'>;
  readonly journal: Pick<OpenJournal, 'commit'>;
  readonly log: Log;
  /** Whether this machine has an address now; seen by tests. */
  readonly has?: (host: string) => boolean;
}

/** Asks the parts of this appliance that can hang; resolves to those that do not answer. */
export function watchdogFaults({
  listeners,
  media,
  journal,
  log,
  has = isOwnAddress,
}: WatchdogDependencies): () => Promise<readonly string[]> {
  const check = new HealthCheck({
    listeners: () =>
      listenerQuestions(
        {
          sip: listeners.sip(),
          https: listeners.https(),
          dc09: listeners.dc09(),
          commandQueue: listeners.commandQueue(),
          peer: listeners.peer(),
        },
        { sip: probeSip, https: probeHttps, stream: probeStream },
      ),
    workers: () => media.load(),
    write: () => journal.commit([{ kind: 'runningMs', ms: 0 }]).catch(() => undefined),
    has,
    log,
  });
  return () => check.faults();
}
