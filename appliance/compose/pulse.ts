import type { OpenMedia } from '../io/media-worker/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { probeSip } from '../io/system/index.ts';

/**
 * What can hang in an appliance, asked one after the other: the loop (who asks, runs in it), the SIP listener, the media
 * workers, the journal's thread. Resolves to what does not answer. A disk that refuses has answered: starting again would
 * not make room on it.
 */
export const pulseOf =
  (network: SipNetwork, media: OpenMedia, journal: OpenJournal) => async (): Promise<readonly string[]> => {
    const faults: string[] = [];
    const listener = network.bound.find(({ transport }) => transport === 'UDP' || transport === 'TCP');
    if (listener !== undefined) {
      const { host, port } = listener;
      const silent = await probeSip({ transport: listener.transport === 'TCP' ? 'TCP' : 'UDP', host, port });
      if (silent !== undefined) faults.push(silent);
    }
    const workers = await media.load();
    const gone = workers.filter((load) => load === undefined).length;
    if (gone > 0) faults.push(`${gone} of ${workers.length} media workers do not answer`);
    await journal.commit([{ kind: 'runningMs', ms: 0 }]).catch(() => undefined);
    return faults;
  };
