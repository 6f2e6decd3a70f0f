import type { PlatformAlarmTable } from './alarm/platform-alarm-table.ts';

export interface BrokerWatchPort {
  /** Every external broker, without user name and password. */
  readonly urls: readonly string[];
  /** How many of the owned shards each of them serves. */
  readonly served: () => readonly number[];
  /** Whether each of them answers this replica; undefined: it owns every shard. */
  readonly reached: () => readonly boolean[] | undefined;
  readonly owned: () => number;
  /** Name of the machine. */
  readonly machine: string;
  readonly platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>;
  /** A broker is reported after so many rounds without a shard. */
  readonly rounds: number;
}

/**
 * The alarm of one broker; gives the function of a round. Hosts of one among several go on at the others, and the next loss would meet
 * more of them. A single broker that serves no shard is watched elsewhere, but for one that misses this replica alone.
 */
export function createBrokerWatch({
  urls,
  served,
  reached,
  owned,
  machine,
  platform,
  rounds,
}: BrokerWatchPort): () => void {
  const without = urls.map(() => 0);
  return () => {
    const [isOwner, answers] = [owned() > 0, reached()];
    if (urls.length < 2 && answers === undefined) return;
    for (const [at, shards] of served().entries()) {
      const url = urls[at] ?? '';
      const what = { error: 'brokerUnreachable', subject: new URL(url).host } as const;
      // A replica without shards knows a broker by its questions to hosts alone.
      const isLost = isOwner ? shards === 0 && urls.length > 1 : answers?.[at] === false;
      const count = isLost ? (without[at] ?? 0) + 1 : 0;
      without[at] = count;
      if (count === 0) platform.clear(what);
      if (count < rounds) continue;
      const message = isOwner
        ? `The broker ${url} has served no shard for half a minute. Hosts use the other brokers; start it, or take it out of CARILLON_MQTT.`
        : `The broker ${url} has not answered the control plane on ${machine} for half a minute, and other control planes observe the hosts. Check the network between the two.`;
      platform.raise({ ...what, message });
    }
  };
}
