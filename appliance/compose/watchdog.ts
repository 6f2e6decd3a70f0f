import type { Listen } from '#shared/setting/index.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { isOwnAddress, type Log, probeHttps, probeSip, probeStream } from '../io/system/index.ts';

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

/**
 * Asks the parts that can hang in an appliance: the loop (the question runs in it), every listener of either family, the media
 * workers, the journal's thread. Resolves to the parts that do not answer, each listener by its address. A disk that refuses has
 * answered: starting again would not make room on it. `Chosen:` so has a listener whose address the machine has lost: a start
 * would end in front of that address, and take the others with it. It is said in the log, once.
 */
export function pulseOf({ listeners, media, journal, log, has = isOwnAddress }: PulseParts) {
  let lost = '';

  const listening = async (): Promise<readonly string[]> => {
    const asked = await Promise.all(
      questions(listeners).map(async ({ host, ask }) => ({ host, fault: await ask() })),
    );
    const silent = asked.flatMap(({ host, fault }) =>
      fault === undefined ? [] : [{ fault, isHere: has(host) }],
    );
    const faults = (isHere: boolean) =>
      silent.filter((each) => each.isHere === isHere).map(({ fault }) => fault);
    const gone = faults(false).join('; ');
    if (gone !== '' && gone !== lost)
      log('warn', 'listener.address_lost', 'This machine lost an address of a listener', {
        found: gone,
      });
    lost = gone;
    return faults(true);
  };

  return async (): Promise<readonly string[]> => {
    const faults = [...(await listening())];
    const workers = await media.load();
    const gone = workers.filter((load) => load === undefined).length;
    if (gone > 0) faults.push(`${gone} of ${workers.length} media workers do not answer`);
    await journal.commit([{ kind: 'runningMs', ms: 0 }]).catch(() => undefined);
    return faults;
  };
}

interface Question {
  readonly host: string;
  readonly ask: () => Promise<string | undefined>;
}

function questions({ sip, https, dc09, commandQueue, peer }: WatchedListeners): readonly Question[] {
  const each = (
    at: readonly Listen[],
    ask: (at: Listen) => Promise<string | undefined>,
  ): readonly Question[] => at.map((one) => ({ host: one.host, ask: () => ask(one) }));
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
