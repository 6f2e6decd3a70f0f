import type { HeartbeatLink } from './heartbeat-link.ts';
import { type Dial, type OwnerLink, type OwnerLinkSetting, openOwnerLink } from './owner-link.ts';

export interface ShardLinksSetting
  extends Pick<OwnerLinkSetting, 'sh' | 'epoch' | 'cap' | 'random' | 'mayConnect'> {
  /** The brokers, in the order of the setting. */
  readonly dials: readonly Dial[];
  /** By broker, where heartbeats come by a connection of their own. */
  readonly heartbeats: readonly (Pick<HeartbeatLink, 'serve' | 'after'> | undefined)[];
  /** `broker`: place in the list; `retained`: the broker had it before this connection subscribed. */
  readonly onMessage: (broker: number, topic: string, payload: Buffer, retained: boolean) => void;
  /** `up`: at least one broker serves the shard now, `whole`: all of them; `change`: a broker was gained or lost. */
  readonly onChange: (sh: string, up: boolean, change: ShardChange, whole: boolean) => void;
  /** The first failure, and each loss; a further failure only with another reason. */
  readonly onDown: (sh: string, reason: string, broker: number) => void;
}

export type ShardChange = 'gained' | 'lost';

/** The connections of the owner for one shard: one to each broker, for its hosts are at any of them. */
export interface ShardLinks extends OwnerLink {
  readonly epoch: number;
  /** Brokers that serve the shard now, by their places in the list. */
  readonly up: ReadonlySet<number>;
}

/** A broker serves a shard when both come: without heartbeats each of its hosts would be called silent. */
type Part = 'messages' | 'heartbeats';

/**
 * Links a shard at all brokers. Brokers know nothing of each other: a message to a host goes to each, and the host is at one of
 * them.
 */
export function openShardLinks({
  dials,
  heartbeats,
  onMessage,
  onChange,
  onDown,
  ...own
}: ShardLinksSetting): ShardLinks {
  const { sh } = own;
  const up = new Set<number>();
  const reasons = new Map<number, string>();
  const leaving: (() => void)[] = [];
  const links = dials.map((dial, broker) => {
    const beats = heartbeats[broker];
    const missing = new Set<Part>(beats === undefined ? ['messages'] : ['messages', 'heartbeats']);
    const gained = (part: Part): void => {
      missing.delete(part);
      if (missing.size > 0) return;
      up.add(broker);
      reasons.delete(broker);
      onChange(sh, true, 'gained', up.size === dials.length);
    };
    const lost = (part: Part, reason: string): void => {
      missing.add(part);
      const served = up.delete(broker);
      if (served || up.size === 0) onChange(sh, up.size > 0, 'lost', false);
      // Both end with their broker, and try again at times of their own: one of them reports it.
      const isReported = part === 'heartbeats' && missing.has('messages');
      if (isReported || reasons.get(broker) === reason) return;
      reasons.set(broker, reason);
      onDown(sh, reason, broker);
    };
    if (beats !== undefined)
      leaving.push(
        beats.serve(sh, {
          onUp: () => gained('heartbeats'),
          onDown: (reason) => lost('heartbeats', reason),
        }),
      );
    return openOwnerLink({
      ...own,
      dial,
      onMessage: (topic, payload, retained) => {
        const take = () => onMessage(broker, topic, payload, retained);
        if (beats === undefined) take();
        else beats.after(take);
      },
      onUp: () => gained('messages'),
      onDown: (_, reason) => lost('messages', reason),
    });
  });
  return {
    epoch: own.epoch,
    up,
    // The first broker that takes it is enough: one that hangs must not hold up the others.
    publish: (...message) => firstTaken(links.map((link) => link.publish(...message))),
    close: async (why) => {
      for (const leave of leaving) leave();
      await Promise.all(links.map((link) => link.close(why)));
    },
  };
}

/** Resolves with the first that is fulfilled; rejects with the first reason when all are rejected. */
export async function firstTaken(all: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.any(all);
  } catch (cause) {
    throw cause instanceof AggregateError ? cause.errors[0] : cause;
  }
}
