import { parseTopic } from '#shared/contract/feed/index.ts';
import { once } from '../timer/index.ts';
import { HostBrokers } from './host-broker.ts';
import { HeartbeatLink } from './link/heartbeat-link.ts';
import type { Dial, OwnerLink } from './link/owner-link.ts';
import { openRequestLink } from './link/request-link.ts';
import {
  firstTaken,
  openShardLinks,
  type ShardChange,
  type ShardLinks,
  type ShardLinksSetting,
} from './link/shard-links.ts';

export type MessageListener = (topic: string, payload: Buffer) => void;

/**
 * Hears of a shard. `up`: at least one broker serves it. `gained`: what is kept at a broker must be left there. `lost` while others
 * serve it: its hosts are on their way to another broker. `whole`: every broker serves it, so that no host can be at another one.
 */
export type ShardListener = (sh: string, up: boolean, change: ShardChange, whole: boolean) => void;

/** The management tree as its owner uses it, whether the broker is ours or there are one or several external ones. */
export interface Broker {
  /**
   * Resolves when a broker has taken it (PUBACK); rejects without connection: whoever publishes states, publishes
   * them again when the shard comes up.
   */
  readonly publish: (
    topic: string,
    payload: string,
    options?: { readonly qos?: 0 | 1; readonly retain?: boolean },
  ) => Promise<void>;
  /** Everything hosts of the owned shards say. */
  readonly onMessage: (listener: MessageListener) => void;
  /** Calls once, behind the heartbeats that come together with this one; a moment later where they come one by one. */
  readonly behindHeartbeats: (run: () => void) => void;
  /** A shard has a connection (again), or lost one. Said at once for shards that are up. */
  readonly onShard: (listener: ShardListener) => void;
  /** How many of the owned shards each broker serves, in the order of the setting. */
  readonly served: () => readonly number[];
  /** Whether this process reaches each broker; undefined: it owns every shard, and there is no process to compare it with. */
  readonly reached: () => readonly boolean[] | undefined;
  /** Opens the connection of a shard that this process owns from now on; nothing happens where it has that of this term. */
  readonly own: (sh: string, epoch: number) => void;
  /** Closes the connections of shards; hosts notice a `goodbye` alone. */
  readonly leave: (shards: readonly string[], why: LeaveReason) => Promise<void>;
  /** Ends the connection of a host. An external broker takes no such order; its revocation list does it. */
  readonly kick: (uid: string) => void;
  /** Resolves when every shard that is owned at first has been up once. */
  readonly ready: Promise<void>;
  readonly close: (why?: LeaveReason) => Promise<void>;
}

/** `Chosen:` heartbeats of so long count as those of one moment; a verdict is a matter of seconds. */
const MOMENT_MS = 100;

export type LeaveReason = Parameters<OwnerLink['close']>[0];

export interface BrokerSetting {
  /** One stream to the broker inside, or the address of each external broker. */
  readonly dials: readonly Dial[];
  /** Heartbeats that come by no connection of an owner, where the broker is ours. */
  readonly onHeartbeat?: (listener: MessageListener) => void;
  readonly kick: (uid: string) => void;
  /** Ends the broker itself, where it is ours; called after the owner's goodbye. */
  readonly closeBroker: () => Promise<void>;
  /** Shards that are owned at first, with their terms. */
  readonly owned: ReadonlyMap<string, number>;
  /** Whether this process owns a shard at this moment, by the clock of its lease. */
  readonly isOwned: (sh: string) => boolean;
  /** Name of the connection by which heartbeats come; absent: they come by that of their shard. */
  readonly heartbeats?: string;
  /** Name of the connection for questions to hosts of other owners; absent: this process owns every shard. */
  readonly requests?: string;
  /** Abilities of this control plane, carried by cp/state. */
  readonly cap: readonly string[];
  readonly random: (length: number) => Uint8Array;
  readonly onDown: (sh: string, reason: string, broker: number) => void;
}

/** The connections of this process at each broker: one for each shard that it owns, and one for questions to the others' hosts. */
export function openBroker(setting: BrokerSetting): Broker {
  const { dials, cap, random } = setting;
  const messageListeners: MessageListener[] = [];
  const shardListeners: ShardListener[] = [];
  const up = new Set<string>();
  const awaited = new Set(setting.owned.keys());
  const firstUp = Promise.withResolvers<void>();

  const onMessage: MessageListener = (topic, payload) => {
    for (const listener of messageListeners) listener(topic, payload);
  };
  setting.onHeartbeat?.(onMessage);
  // One broker has the only word about each host.
  const places = dials.length > 1 ? new HostBrokers() : undefined;

  const tell: ShardListener = (sh, isUp, ...more) => {
    if (isUp) up.add(sh);
    else up.delete(sh);
    for (const listener of shardListeners) listener(sh, isUp, ...more);
    if (isUp) awaited.delete(sh);
    if (awaited.size === 0) firstUp.resolve();
  };

  const fromBroker: ShardLinksSetting['onMessage'] = (broker, topic, payload, retained) => {
    if (places?.takes(broker, topic, payload, retained) !== false) onMessage(topic, payload);
  };
  const { heartbeats: heartbeatId } = setting;
  const heartbeats = dials.map((dial, broker) => {
    if (dial.kind === 'stream' || heartbeatId === undefined) return undefined;
    return new HeartbeatLink({
      ...{ clientId: heartbeatId, dial },
      onMessage: (topic, payload) => fromBroker(broker, topic, payload, false),
    });
  });

  const links = new Map<string, ShardLinks>();
  const own = (sh: string, epoch: number): void => {
    const before = links.get(sh);
    if (before?.epoch === epoch) return;
    before?.close('lost').catch(() => undefined);
    const opened = openShardLinks({
      ...{ sh, dials, heartbeats, epoch, cap, random },
      mayConnect: () => setting.isOwned(sh),
      onMessage: fromBroker,
      onChange: tell,
      onDown: setting.onDown,
    });
    links.set(sh, opened);
  };
  const leave = async (shards: readonly string[], why: LeaveReason): Promise<void> => {
    await Promise.all(
      shards.map(async (sh) => {
        const link = links.get(sh);
        links.delete(sh);
        places?.forget(sh);
        up.delete(sh);
        awaited.delete(sh);
        await link?.close(why);
      }),
    );
    if (awaited.size === 0) firstUp.resolve();
  };
  for (const [sh, epoch] of setting.owned) own(sh, epoch);
  if (awaited.size === 0) firstUp.resolve();
  const clientId = setting.requests;
  const requests =
    clientId === undefined
      ? []
      : dials.flatMap((dial) =>
          dial.kind === 'url' ? [openRequestLink({ clientId, dial, onMessage })] : [],
        );

  return {
    publish: async (topic, payload, { qos = 1, retain = false } = {}) => {
      const sh = parseTopic(topic)?.sh;
      if (sh === undefined) throw new Error(`${topic} belongs to no host`);
      const link = links.get(sh);
      if (link !== undefined) return await link.publish(topic, payload, { qos, retain });
      if (requests.length === 0) throw new Error(`not published: shard ${sh} has no broker`);
      await firstTaken(requests.map((request) => request.publish(topic, payload, { qos, retain })));
    },
    onMessage: (listener) => void messageListeners.push(listener),
    behindHeartbeats: (run) => {
      if (!heartbeats.some((link) => link?.atEnd(run))) once(MOMENT_MS, run);
    },
    onShard: (listener) => {
      shardListeners.push(listener);
      for (const sh of up) listener(sh, true, 'gained', links.get(sh)?.up.size === dials.length);
    },
    served: () => dials.map((_, broker) => [...links.values()].filter((link) => link.up.has(broker)).length),
    reached: () => (requests.length === 0 ? undefined : requests.map((request) => request.isUp())),
    own,
    leave,
    kick: setting.kick,
    ready: firstUp.promise,
    close: async (why = 'goodbye') => {
      await Promise.all(requests.map((request) => request.close()));
      await leave([...links.keys()], why);
      await Promise.all(heartbeats.map((link) => link?.close()));
      await setting.closeBroker();
    },
  };
}
