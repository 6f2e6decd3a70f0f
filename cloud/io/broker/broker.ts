import { parseTopic } from '#shared/contract/feed/index.ts';
import { type Dial, type OwnerLink, openOwnerLink } from './owner-link.ts';
import { openRequestLink } from './request-link.ts';

export type MessageListener = (topic: string, payload: Buffer) => void;

/** The management tree as its owner uses it, whether the broker is ours or an external one. */
export interface Broker {
  /**
   * Resolves when the broker has taken it (PUBACK); rejects without connection: whoever publishes states, publishes
   * them again when the shard comes up.
   */
  readonly publish: (
    topic: string,
    payload: string,
    options?: { readonly qos?: 0 | 1; readonly retain?: boolean },
  ) => Promise<void>;
  /** Everything hosts of the owned shards say. */
  readonly onMessage: (listener: MessageListener) => void;
  /** A shard has its connection (again), or lost it. Said at once for shards that are up. */
  readonly onShard: (listener: (sh: string, up: boolean) => void) => void;
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

export type LeaveReason = Parameters<OwnerLink['close']>[0];

export interface BrokerSetting {
  readonly dial: Dial;
  /** Heartbeats that come by no connection of an owner, where the broker is ours. */
  readonly onHeartbeat?: (listener: MessageListener) => void;
  readonly kick: (uid: string) => void;
  /** Ends the broker itself, where it is ours; called after the owner's goodbye. */
  readonly closeBroker: () => Promise<void>;
  /** Shards that are owned at first, with their terms. */
  readonly owned: ReadonlyMap<string, number>;
  /** Whether this process owns a shard at this moment, by the clock of its lease. */
  readonly isOwned: (sh: string) => boolean;
  /** Name of the connection for questions to hosts of other owners; absent: this process owns every shard. */
  readonly requests?: string;
  /** Abilities of this control plane, carried by cp/state. */
  readonly cap: readonly string[];
  readonly random: (length: number) => Uint8Array;
  readonly onDown: (sh: string, reason: string) => void;
}

/** The connections of this process: one for each shard that it owns, and one for questions to the others' hosts. */
export function openBroker(setting: BrokerSetting): Broker {
  const { dial, cap, random } = setting;
  const messageListeners: MessageListener[] = [];
  const shardListeners: ((sh: string, up: boolean) => void)[] = [];
  const up = new Set<string>();
  const awaited = new Set(setting.owned.keys());
  const firstUp = Promise.withResolvers<void>();

  const heard: MessageListener = (topic, payload) => {
    for (const listener of messageListeners) listener(topic, payload);
  };
  setting.onHeartbeat?.(heard);

  const tell = (sh: string, isUp: boolean): void => {
    if (isUp) up.add(sh);
    else up.delete(sh);
    for (const listener of shardListeners) listener(sh, isUp);
    if (isUp) awaited.delete(sh);
    if (awaited.size === 0) firstUp.resolve();
  };

  const links = new Map<string, OwnerLink & { readonly epoch: number }>();
  const own = (sh: string, epoch: number): void => {
    const before = links.get(sh);
    if (before?.epoch === epoch) return;
    before?.close('lost').catch(() => undefined);
    links.set(sh, {
      epoch,
      ...openOwnerLink({
        ...{ sh, dial, epoch, cap, random },
        mayConnect: () => setting.isOwned(sh),
        onMessage: heard,
        onUp: () => tell(sh, true),
        onDown: (_, reason) => {
          tell(sh, false);
          setting.onDown(sh, reason);
        },
      }),
    });
  };
  const leave = async (shards: readonly string[], why: LeaveReason): Promise<void> => {
    await Promise.all(
      shards.map(async (sh) => {
        const link = links.get(sh);
        links.delete(sh);
        up.delete(sh);
        awaited.delete(sh);
        await link?.close(why);
      }),
    );
    if (awaited.size === 0) firstUp.resolve();
  };
  for (const [sh, epoch] of setting.owned) own(sh, epoch);
  if (awaited.size === 0) firstUp.resolve();
  const requests =
    setting.requests === undefined || dial.kind !== 'url'
      ? undefined
      : openRequestLink({ clientId: setting.requests, dial, onMessage: heard });

  return {
    publish: async (topic, payload, { qos = 1, retain = false } = {}) => {
      const sh = parseTopic(topic)?.sh;
      if (sh === undefined) throw new Error(`${topic} belongs to no host`);
      const link = links.get(sh) ?? requests;
      if (link === undefined) throw new Error(`not published: shard ${sh} has no broker`);
      await link.publish(topic, payload, { qos, retain });
    },
    onMessage: (listener) => void messageListeners.push(listener),
    onShard: (listener) => {
      shardListeners.push(listener);
      for (const sh of up) listener(sh, true);
    },
    own,
    leave,
    kick: setting.kick,
    ready: firstUp.promise,
    close: async (why = 'goodbye') => {
      await requests?.close();
      await leave([...links.keys()], why);
      await setting.closeBroker();
    },
  };
}
