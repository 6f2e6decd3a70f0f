import type { PlatformAlarmTable } from './alarm/platform-alarm-table.ts';

export interface BrokerWatchPort {
  /** Every external broker, without user name and password; one or none is watched elsewhere. */
  readonly urls: readonly string[];
  /** How many of the owned shards each of them serves. */
  readonly served: () => readonly number[];
  readonly owned: () => number;
  readonly platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>;
  /** A broker is reported after so many rounds without a shard. */
  readonly rounds: number;
}

/**
 * The alarm of one broker among several; gives the function of a round. Hosts go on at the others, and the next loss would meet more of
 * them.
 */
export function createBrokerWatch({ urls, served, owned, platform, rounds }: BrokerWatchPort): () => void {
  const without = urls.map(() => 0);
  return () => {
    if (urls.length < 2) return;
    for (const [at, shards] of served().entries()) {
      const url = urls[at] ?? '';
      const what = { error: 'brokerUnreachable', subject: new URL(url).host } as const;
      // A replica without shards has no connection anywhere, and knows nothing of brokers.
      const count = shards > 0 || owned() === 0 ? 0 : (without[at] ?? 0) + 1;
      without[at] = count;
      if (count === 0) platform.clear(what);
      if (count < rounds) continue;
      const message = `The broker ${url} has served no shard for half a minute. Hosts use the other brokers; start it, or take it out of CARILLON_MQTT.`;
      platform.raise({ ...what, message });
    }
  };
}
