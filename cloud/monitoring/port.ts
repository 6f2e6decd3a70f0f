import type { Clock } from '#shared/clock.ts';
import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Actor, Store, Tx } from '../store/index.ts';

export interface MonitoringPort {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Leaves a message with the broker; rejects without connection. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
  /** Puts a platform alarm on its way to the tenant, in the transaction that raised it. `id` is its idempotency key. */
  readonly relay: (tx: Tx, tenant: string, id: string, alarm: PlatformAlarm, at: number) => Promise<void>;
  /** A host works with its configuration; gives whether it went into service by that. */
  readonly configAcknowledged: (tx: Tx, uid: string, actor: Actor) => Promise<boolean>;
  /** After the commit: the twin of this host must be looked at. */
  readonly onHostChanged: (uid: string) => void;
  readonly log: (
    level: 'debug' | 'info' | 'warn',
    message: string,
    facts: Readonly<Record<string, unknown>>,
  ) => void;
}
