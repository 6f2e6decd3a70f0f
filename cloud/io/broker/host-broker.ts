import { parseTopic } from '#shared/contract/feed/index.ts';

const SESSION = /"sid"\s{0,4}:\s{0,4}"([0-9A-Za-z]{26})"/;
const FAREWELL = /"st"\s{0,4}:\s{0,4}"off"/;

/**
 * The broker at which each host speaks, where there are several. A broker that a host has left keeps its former birth and
 * delivers it with each subscription: taken for news it would be a sign of life of a host that is dead, and hide the session
 * that it has elsewhere. Births that are dropped here cost nothing, for a heartbeat of an unknown session asks for a new one.
 */
export class HostBrokers {
  /** By shard, then by host. */
  readonly #spoke = new Map<string, Map<string, number>>();
  readonly #sessions = new Map<string, Map<string, string>>();

  /** Whether a message counts; `retained`: the broker had it before this process subscribed. */
  takes(broker: number, topic: string, payload: Buffer, retained: boolean): boolean {
    const from = parseTopic(topic);
    if (from?.leaf === undefined || !from.leaf.startsWith('up/')) return true;
    const { sh, uid } = from;
    const isState = from.leaf === 'up/state';
    if (!retained) {
      // The word of a broker about a host that left it says nothing about where the host is.
      if (!isState || !FAREWELL.test(payload.toString('utf8'))) of(this.#spoke, sh).set(uid, broker);
      return true;
    }
    const spoke = this.#spoke.get(sh)?.get(uid);
    if (spoke !== undefined) return spoke === broker;
    if (!isState) return true;
    // Names of sessions begin with their time: of two that lie there the later one is that of the host.
    const [, sid = ''] = SESSION.exec(payload.toString('utf8')) ?? [];
    const sessions = of(this.#sessions, sh);
    if (sid < (sessions.get(uid) ?? '')) return false;
    sessions.set(uid, sid);
    return true;
  }

  /** Another process observes the shard: its hosts may move without our notice. */
  forget(sh: string): void {
    this.#spoke.delete(sh);
    this.#sessions.delete(sh);
  }
}

function of<Value>(all: Map<string, Map<string, Value>>, sh: string): Map<string, Value> {
  const found = all.get(sh) ?? new Map<string, Value>();
  all.set(sh, found);
  return found;
}
