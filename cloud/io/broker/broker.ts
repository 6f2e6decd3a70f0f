import { parseTopic, SHARDS } from '#shared/contract/feed/index.ts';
import { type Dial, type OwnerLink, openOwnerLink } from './owner-link.ts';

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
  /** Ends the connection of a host. An external broker takes no such order; its revocation list does it. */
  readonly kick: (uid: string) => void;
  /** Resolves when every shard has been up once. */
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface BrokerSetting {
  readonly dial: Dial;
  /** Heartbeats that come by no connection of an owner, where the broker is ours. */
  readonly onHeartbeat?: (listener: MessageListener) => void;
  readonly kick: (uid: string) => void;
  /** Ends the broker itself, where it is ours; called after the owner's goodbye. */
  readonly closeBroker: () => Promise<void>;
  readonly epoch: number;
  /** Abilities of this control plane, carried by cp/state. */
  readonly cap: readonly string[];
  readonly random: (length: number) => Uint8Array;
  readonly onDown: (sh: string, reason: string) => void;
}

/** Owner of all 64 shards: one replica owns everything, and no lease is needed to say so. */
export function openBroker(setting: BrokerSetting): Broker {
  const messageListeners: MessageListener[] = [];
  const shardListeners: ((sh: string, up: boolean) => void)[] = [];
  const up = new Set<string>();
  let allUp: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    allUp = resolve;
  });

  const heard: MessageListener = (topic, payload) => {
    for (const listener of messageListeners) listener(topic, payload);
  };
  setting.onHeartbeat?.(heard);

  const tell = (sh: string, isUp: boolean): void => {
    if (isUp) up.add(sh);
    else up.delete(sh);
    for (const listener of shardListeners) listener(sh, isUp);
    if (up.size === SHARDS.length) allUp();
  };

  const links = new Map<string, OwnerLink>(
    SHARDS.map((sh) => [
      sh,
      openOwnerLink({
        sh,
        dial: setting.dial,
        epoch: setting.epoch,
        cap: setting.cap,
        random: setting.random,
        onMessage: heard,
        onUp: () => tell(sh, true),
        onDown: (_, reason) => {
          tell(sh, false);
          setting.onDown(sh, reason);
        },
      }),
    ]),
  );

  return {
    publish: async (topic, payload, { qos = 1, retain = false } = {}) => {
      const link = links.get(parseTopic(topic)?.sh ?? '');
      if (link === undefined) throw new Error(`${topic} belongs to no host`);
      await link.publish(topic, payload, { qos, retain });
    },
    onMessage: (listener) => void messageListeners.push(listener),
    onShard: (listener) => {
      shardListeners.push(listener);
      for (const sh of up) listener(sh, true);
    },
    kick: setting.kick,
    ready,
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
      await setting.closeBroker();
    },
  };
}
