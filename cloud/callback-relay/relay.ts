import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import type { NotificationSettings } from '#shared/contract/provisioning/index.ts';
import {
  claimRelays,
  insertRelay,
  nextRelayAt,
  type RelayRow,
  readNotificationSettings,
  type Tx,
  tenantById,
  updateRelay,
} from '../store/index.ts';
import { attempt } from './attempt.ts';
import type { RelayPort } from './port.ts';
import { MOST_REFUSALS, retryDelayMs, verdictOf } from './verdict.ts';

const DEADLINE_MS = 7 * 86_400_000;
/** A receiver that does not answer must not hold up the others for longer than one round. */
const ROUND = 16;
/** Longer than an attempt with every credential takes; a delivery whose replica died waits so long for another one. */
const CLAIM_MS = 60_000;

export interface CallbackRelay {
  /**
   * Puts an alarm on its way, in the transaction that raised it. A tenant without `alarmEventsRestEndpoint` gets nothing. `id`
   * is the idempotency key of all attempts.
   */
  readonly enqueue: (tx: Tx, tenant: string, id: string, alarm: PlatformAlarm, at: number) => Promise<void>;
  /** Tries everything that is due; gives the time (epoch ms) when something is due next, undefined = nothing waits. */
  readonly deliver: () => Promise<number | undefined>;
}

/**
 *     waiting ──2xx──▶ done
 *        │ no answer, 5xx, 401, 403, 408, 409, 425, 429: later, 7 days at most
 *        └ other 4xx three times, or the time is over ──▶ dead
 */
export function createCallbackRelay(port: RelayPort): CallbackRelay {
  const { store } = port;

  async function tryOnce(row: RelayRow): Promise<void> {
    const tenant = await tenantById(store, row.tenant);
    const settings = (await readNotificationSettings(store, row.tenant))?.body as
      | NotificationSettings
      | undefined;
    if (tenant === undefined) return;
    const beganAt = port.nowMs();
    const answer = await attempt(port, row, tenant.domain, settings ?? { alarmFromEdge: true });
    const endedAt = port.nowMs();
    const verdict = verdictOf(answer);
    const attempts = row.attempts + 1;
    // The last answer of the receiver itself, as proof; an attempt without an answer leaves the one before.
    const said = answer.ok ? { code: answer.value.status, tookMs: endedAt - beganAt } : {};
    if (verdict.kind === 'delivered') {
      await store.withTx((tx) =>
        updateRelay(tx, row.id, {
          ...said,
          state: 'done',
          attempts,
          lastError: null,
          settledAt: endedAt,
          claimedUntil: null,
        }),
      );
      return;
    }
    const refusals = row.refusals + (verdict.refused ? 1 : 0);
    const notBefore = port.nowMs() + retryDelayMs(attempts, port.chance(), verdict.retryAfterS);
    const isOver = refusals >= MOST_REFUSALS || notBefore > row.deadline;
    const state = isOver ? 'dead' : 'waiting';
    port.log(
      isOver ? 'warn' : 'debug',
      isOver ? 'relay.given_up' : 'relay.attempt_failed',
      isOver
        ? 'Gave up the delivery of a platform alarm'
        : 'Could not deliver a platform alarm and scheduled another attempt',
      { state, id: row.id, tenant: tenant.domain, attempts, reason: verdict.reason },
    );
    const settledAt = isOver ? endedAt : null;
    const set = {
      ...said,
      state,
      attempts,
      refusals,
      notBefore,
      lastError: verdict.reason,
      settledAt,
      claimedUntil: null,
    } as const;
    await store.withTx((tx) => updateRelay(tx, row.id, set));
  }

  return {
    enqueue: async (tx, tenant, id, alarm, at) => {
      const row = await readNotificationSettings(tx, tenant);
      if ((row?.body as NotificationSettings | undefined)?.alarmEventsRestEndpoint === undefined) return;
      await insertRelay(tx, {
        id,
        tenant,
        body: { ...alarm },
        state: 'waiting',
        createdAt: at,
        notBefore: at,
        deadline: at + DEADLINE_MS,
        attempts: 0,
        refusals: 0,
        lastError: null,
        alarm: alarm.traceId ?? null,
      });
    },
    deliver: async () => {
      const nowMs = port.nowMs();
      // Most rounds have nothing to do, and need no transaction.
      const nextAt = await nextRelayAt(store);
      if (nextAt === undefined || nextAt > nowMs) return nextAt;
      const claimed = await store.withTx((tx) => claimRelays(tx, port.replica, nowMs, ROUND, CLAIM_MS));
      await Promise.all(claimed.map(tryOnce));
      return await nextRelayAt(store);
    },
  };
}
