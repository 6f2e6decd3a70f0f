import type { WaitingState } from '../../../shared/contract/alarm-queue/index.ts';
import type { Columns } from './columns.sqlite.ts';

/** A note of a person on a waiting alarm. */
export interface WaitingNote {
  readonly at: number;
  readonly by: string;
  readonly name: string;
  readonly text: string;
}

/** Where a browser is reached; whoever has the endpoint can send to it. */
export interface PushTarget {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Alarms that no person has accepted, and who has taken them. */
export function alarmQueueTables(c: Columns) {
  return {
    waitingAlarm: c.table(
      'waiting_alarm',
      {
        tenant: c.text('tenant').notNull(),
        /** The sessionId of the alarm session. */
        id: c.text('id').notNull(),
        uid: c.text('uid').notNull(),
        siteId: c.text('site_id').notNull(),
        hostId: c.text('host_id').notNull(),
        state: c.text('state').$type<WaitingState>().notNull(),
        /** Rises with each take: a taker that was lost writes under an older one. */
        turn: c.int('turn').notNull(),
        /** Person who has it; null = no person. */
        taker: c.text('taker'),
        takerName: c.text('taker_name'),
        takenAt: c.int('taken_at'),
        heartbeatAt: c.int('heartbeat_at'),
        /** Name of the person who had it before. */
        lastTaker: c.text('last_taker'),
        /** Cause of the state. */
        reason: c.text('reason').notNull(),
        /** Begin of the wait that runs, epoch ms. */
        queuedAt: c.int('queued_at').notNull(),
        closedAt: c.int('closed_at'),
        closedBy: c.text('closed_by'),
        /** Newest picture of its host (`AlarmQueuedData`). */
        body: c.json<Readonly<Record<string, unknown>>>('body').notNull(),
        notes: c.json<readonly WaitingNote[]>('notes').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'waiting_alarm_pk', columns: [t.tenant, t.id] }),
        c.index('waiting_alarm_state').on(t.state, t.heartbeatAt),
      ],
    ),
    /** The newest test call of each emergency list. It names no person who was called. */
    callListTest: c.table(
      'call_list_test',
      {
        tenant: c.text('tenant').notNull(),
        entity: c.text('entity').$type<'alarmbridge' | 'device'>().notNull(),
        /** Alarm bridge or device. */
        id: c.text('id').notNull(),
        /** Month of the test, as `2026-11`. */
        month: c.text('month').notNull(),
        state: c.text('state').$type<'wanted' | 'running' | 'done' | 'failed'>().notNull(),
        /** Host that calls; null = none has begun. */
        uid: c.text('uid'),
        /** Begins in this month. */
        tries: c.int('tries').notNull(),
        askedAt: c.int('asked_at').notNull(),
        endedAt: c.int('ended_at'),
        /** People of the list, and those who confirmed. */
        called: c.int('called').notNull(),
        confirmed: c.int('confirmed').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'call_list_test_pk', columns: [t.tenant, t.entity, t.id] }),
        c.index('call_list_test_state').on(t.state, t.askedAt),
      ],
    ),
    /** Tokens of displays on a wall: each opens the queue of one tenant without personal data, and nothing else. */
    queueWall: c.table(
      'queue_wall',
      {
        tenant: c.text('tenant').notNull(),
        id: c.text('id').notNull(),
        /** SHA-256 of the token, hex; the token itself is never stored. */
        hash: c.text('hash').notNull(),
        name: c.text('name').notNull(),
        createdAt: c.int('created_at').notNull(),
        createdBy: c.text('created_by').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'queue_wall_pk', columns: [t.tenant, t.id] }),
        c.index('queue_wall_hash').on(t.hash),
      ],
    ),
    /** Browsers of people that are woken when an alarm waits. */
    pushSubscription: c.table(
      'push_subscription',
      {
        tenant: c.text('tenant').notNull(),
        /** SHA-256 of the endpoint, hex. */
        id: c.text('id').notNull(),
        person: c.text('person').notNull(),
        /** Host name of the push service. */
        service: c.text('service').notNull(),
        /** Address of the browser and its keys; sealed. */
        body: c.json<{ readonly secret: PushTarget }>('body').notNull(),
        createdAt: c.int('created_at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'push_subscription_pk', columns: [t.tenant, t.id] }),
        c.index('push_subscription_person').on(t.person),
      ],
    ),
  };
}
