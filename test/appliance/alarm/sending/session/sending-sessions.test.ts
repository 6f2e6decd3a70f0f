import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { sendingSession } from '#appliance/alarm/sender/index.ts';
import type { AttemptPlan, AttemptUser } from '#appliance/alarm/sending/attempt/attempt.ts';
import type { SendOrder } from '#appliance/alarm/sending/order/send-order.ts';
import type { SendProgress } from '#appliance/alarm/sending/session/send-report.ts';
import { SendingSessions } from '#appliance/alarm/sending/session/sending-sessions.ts';
import type { JournalWrite, SessionRow } from '#appliance/delivery/outbox/index.ts';
import { orderOfUnit, orderTenant } from '../order/order-room.ts';
import { sessionRoom, stored } from './session-room.ts';

const PRIMARY = 'sip:arc@centre.example';
const BACKUP = 'sip:backup@centre.example';
const ORDER = orderOfUnit({ mapperId: 'mapper-1' });

/** Neighbours that write down what they are asked, in order. */
function room({ rows = [] as SessionRow[], target = {}, mapper = {} } = {}) {
  const base = sessionRoom(rows);
  const { tenant, ...put } = orderTenant();
  put.mapper({ protocol: 'scaip', destAddr: PRIMARY, ...target }, mapper);
  const done: string[] = [];
  const disk: { fails: string | undefined } = { fails: undefined };
  const attempts: { readonly plan: AttemptPlan; readonly user: AttemptUser }[] = [];
  const written: string[][] = [];
  const commit = async (writes: readonly JournalWrite[]): Promise<void> => {
    written.push(writes.map(({ kind }) => kind));
    if (disk.fails !== undefined) throw new Error(disk.fails);
    const { journal } = base.ports as {
      journal: { commit: (all: readonly JournalWrite[]) => Promise<void> };
    };
    await journal.commit(writes);
  };
  const ports = {
    ...(base.ports as object),
    journal: { ...(base.ports as { journal: object }).journal, commit },
    tenant: () => tenant,
    random: (size: number) => new Uint8Array(size).fill(attempts.length + written.length),
    run: (work: Promise<unknown>) => void work.catch(() => done.push('not stored')),
    traceMs: () => 0,
  };
  const talking = new Set<string>();
  /** Call or connection that each report names. */
  const dialogs: string[] = [];
  const sessions = new SendingSessions(ports as never, {
    attempts: () =>
      ({
        forget: () => undefined,
        joined: () => undefined,
        make: (plan: AttemptPlan, user: AttemptUser) => {
          attempts.push({ plan, user });
          return {
            begin: () => void done.push(`begin ${plan.address.destination}`),
            abandon: () => void done.push('abandon'),
          };
        },
      }) as never,
    report: {
      row: (_known: unknown, progress: SendProgress) => {
        const { kind } = progress;
        done.push(kind);
        if ('dialogId' in progress) dialogs.push(progress.dialogId);
        return { kind } as never;
      },
      send: ({ kind }: { readonly kind: string }) => void done.push(`post ${kind}`),
    } as never,
    profiles: new ProfileTables({ log: () => undefined, tenant: () => tenant } as never),
    controllers: { sent: () => void done.push('controller known') },
    nextSequence: () => '0001',
    talks: {
      begin: (_known, _plan, { kind }) => void done.push(`talk ${kind}`),
      command: () => void done.push('command'),
      lineOver: () => void done.push('line over'),
      passes: () => false,
      has: (id) => talking.has(id),
    },
    callInstead: (_known, destination) => void done.push(`call ${destination}`),
    signOfLife: (_plan, answered) => void done.push(answered ? 'alive' : 'silent'),
  });
  sessions.settled.add((_facts, { kind }) => void done.push(`settled ${kind}`));
  const last = () => attempts.at(-1) as (typeof attempts)[number];
  return {
    ...base,
    ...put,
    sessions,
    tenant,
    attempts,
    written,
    disk,
    talking,
    dialogs,
    last,
    send: (order: SendOrder = ORDER, asked: Parameters<SendingSessions['accept']>[1] = {}) =>
      sessions.accept(order, asked),
    /** The effects of one step, commits included. */
    async step(work: () => unknown): Promise<string> {
      done.length = 0;
      work();
      for (let turns = 0; turns < 10; turns++) await Promise.resolve();
      return done.join(', ') || 'nothing';
    },
  };
}

type Room = ReturnType<typeof room>;
const failed = (at: Room, onward?: 'never') =>
  at.last().user.failed(at.last().plan.id, {
    warning: 'noAnswer',
    reason: 'silence',
    ...(onward && { onward }),
  } as never);

describe('an event that is to be sent', () => {
  it('is on the disk before its first attempt begins', async () => {
    const at = room();
    expect(await at.step(() => void at.send())).toBe(`controller known, begin ${PRIMARY}`);
    expect(at.written[0]).toEqual(['session']);
    expect([at.sessions.size, at.rows.length]).toEqual([1, 1]);
  });

  it('is refused, and not sent, when the disk fails; its key is free again', async () => {
    const at = room();
    at.disk.fails = 'no space';
    const idempotency = { key: 'k', bodyHash: 'h' };
    let refused: unknown;
    const effects = await at.step(async () => {
      refused = await at.send(ORDER, { idempotency });
    });
    expect(refused).toMatchObject({ ok: false, error: { code: 'storeFailed' } });
    expect([effects, at.sessions.size]).toEqual(['nothing', 0]);
    expect(at.sessions.known(idempotency)).toEqual({ ok: true, value: undefined });
  });

  it('is refused when its event sender is not there, and nothing is written', async () => {
    const at = room();
    const answer = await at.send(orderOfUnit({ mapperId: 'another' }));
    expect(answer).toMatchObject({ ok: false, error: { code: 'noRoute' } });
    expect([at.written, at.sessions.size]).toEqual([[], 0]);
  });

  it('leads a repeated request to its session', async () => {
    const at = room();
    const idempotency = { key: 'k', bodyHash: 'h' };
    const answer = await at.send(ORDER, { traceId: 'given', idempotency });
    expect(answer).toMatchObject({ ok: true, value: { traceId: 'given', reference: { sequence: '0001' } } });
    const known = at.sessions.known(idempotency);
    expect(known).toMatchObject({ ok: true, value: answer.ok ? { sessionId: answer.value.sessionId } : {} });
  });

  it('fails at once when its receiver cannot be notified, and a person is called where one is named', async () => {
    const none = room({ target: { protocol: 'ttnew', destAddr: '0123' } });
    const order = orderOfUnit({ mapperId: 'mapper-1', event: { ...ORDER.event, controllerId: 'letters' } });
    const effects = await none.step(() => void none.send(order as SendOrder));
    expect(effects).toBe('alarmSendFailure, settled failed, post alarmSendFailure');
    const unknownAlarmEventVoiceDestination = 'sip:person@centre.example';
    const named = room({
      target: { protocol: 'ttnew', destAddr: '0123' },
      mapper: { unknownAlarmEventVoiceDestination },
    });
    expect(await named.step(() => void named.send(order as SendOrder))).toContain(
      `call ${unknownAlarmEventVoiceDestination}`,
    );
  });
});

describe('reports of its attempt', () => {
  const begun = async (options: Parameters<typeof room>[0] = {}) => {
    const at = room(options);
    await at.step(() => void at.send());
    return { ...at, id: at.last().plan.id };
  };

  it('acknowledged: the callback is in the commit that ends it, and goes out behind that', async () => {
    const at = await begun();
    const effects = await at.step(() => at.last().user.acknowledged(at.id, 'text', 'dialog'));
    expect([effects, at.dialogs]).toEqual(['alarmSent, post alarmSent', ['dialog']]);
    expect(at.written.at(-1)).toEqual(expect.arrayContaining(['session', 'outbox']));
    expect(at.rows).toMatchObject([{ closed: true }]);
    expect(at.sessions.size).toBe(1);
    const speech = await at.step(() => at.last().user.speech(at.id, { kind: 'none' }));
    expect(speech).toBe('talk none, settled sent');
    expect(at.sessions.size).toBe(0);
  });

  it('acknowledged while the disk fails: the callback still goes out', async () => {
    const at = await begun();
    at.disk.fails = 'no space';
    const effects = await at.step(() => at.last().user.acknowledged(at.id, 'text', 'dialog'));
    expect(effects).toBe('alarmSent, post alarmSent, not stored');
  });

  it('queued: it is reported, and the session stays', async () => {
    const at = await begun();
    expect(await at.step(() => at.last().user.queued(at.id, 'text', 'dialog'))).toBe(
      'alarmQueued, post alarmQueued',
    );
    expect([at.sessions.size, at.rows[0]?.closed, at.dialogs]).toEqual([1, false, ['dialog']]);
  });

  it('failed: the backup is tried at once, then both again after a pause, then it has failed', async () => {
    const at = await begun({ target: { backupEndpoint: { backupDestAddr: BACKUP } } });
    expect(await at.step(() => failed(at))).toBe(`abandon, controller known, begin ${BACKUP}`);
    expect(await at.step(() => failed(at))).toBe('nothing');
    expect(await at.step(() => at.at(9_999))).toBe('nothing');
    expect(await at.step(() => at.at(10_000))).toBe(`abandon, controller known, begin ${PRIMARY}`);
    expect(await at.step(() => failed(at))).toContain(`begin ${BACKUP}`);
    expect(await at.step(() => failed(at))).toBe('alarmSendFailure, settled failed, post alarmSendFailure');
    expect([at.sessions.size, at.rows[0]?.closed, at.timers.size]).toEqual([0, true, 0]);
  });

  it('failed for good: no other transport is tried', async () => {
    const at = await begun({ target: { backupEndpoint: { backupDestAddr: BACKUP } } });
    expect(await at.step(() => failed(at, 'never'))).toBe(
      'alarmSendFailure, settled failed, post alarmSendFailure',
    );
  });

  it('cancelled: the attempt ends, the failure is reported once', async () => {
    const at = await begun();
    const effects = await at.step(() => at.sessions.cancel(at.id, 'not wanted'));
    expect(effects.split(', ').toSorted()).toEqual(
      ['abandon', 'alarmSendFailure', 'post alarmSendFailure', 'settled failed'].toSorted(),
    );
    expect(await at.step(() => at.sessions.cancel(at.id, 'not wanted'))).toBe('nothing');
    expect(await at.step(() => failed(at))).toBe('nothing');
  });

  it('a time that a restart could not know is stored before its frame is sent, and once', async () => {
    const at = await begun();
    const before = at.written.length;
    await at.last().user.shows('centre:1', 77);
    await at.last().user.shows('centre:1', 77);
    expect(at.written.length).toBe(before + 1);
    expect(at.rows[0]?.body).toContain('"centre:1":77');
    // The time of the event itself is in the first row already.
    await at.last().user.shows('centre:2', 0);
    expect(at.written.length).toBe(before + 1);
  });

  it.each([
    ['command', 'command', (user: AttemptUser, id: string) => user.command(id, {} as never)],
    ['the end of a line', 'line over', (user: AttemptUser, id: string) => user.lineOver(id, 'x', true)],
    ['a sign of life', 'alive', (user: AttemptUser) => user.signOfLife(true, '')],
    ['silence', 'silent', (user: AttemptUser) => user.signOfLife(false, '')],
  ] as const)('%s is passed on', async (_name, expected, report) => {
    const at = await begun();
    expect(await at.step(() => report(at.last().user, at.id))).toBe(expected);
  });
});

describe('an event of an earlier run', () => {
  const row = (phase: string, fields = {}) =>
    stored('s', phase, 0, { order: ORDER, ...fields } as Parameters<typeof stored>[3]);

  it('is sent again, with a mark that its program was started again', async () => {
    const at = room({ rows: [recoverable(row('attempting'))] });
    expect(await at.step(() => at.sessions.restore())).toBe(`controller known, begin ${PRIMARY}`);
    expect(at.sessions.bySession('s')?.facts.restarts).toBe(1);
  });

  it('waits for its event sender, and fails with the reason when none comes', async () => {
    const at = room({ rows: [recoverable(row('attempting', { order: orderOfUnit({ mapperId: 'gone' }) }))] });
    expect(await at.step(() => at.sessions.restore())).toBe('nothing');
    expect(at.sessions.sessionIds).toEqual(['s']);
    expect(await at.step(() => at.at(60_000))).toBe(
      'alarmSendFailure, settled failed, post alarmSendFailure',
    );
    expect(at.sessions.size).toBe(0);
  });

  it('is not sent again when it is a self-test', async () => {
    const order = orderOfUnit({ mapperId: 'mapper-1', selfTest: true });
    const at = room({ rows: [recoverable(row('attempting', { order }))] });
    const effects = await at.step(() => at.sessions.restore());
    expect(effects).not.toContain('begin');
    expect(at.sessions.size).toBe(0);
  });
});

/** A stored session as it is whole, which the short form of the room leaves out. */
function recoverable(row: SessionRow): SessionRow {
  const written = JSON.parse(row.body) as { session: object };
  const session = { ...sendingSession(), attempts: 1, ...written.session };
  return { ...row, body: JSON.stringify({ ...written, session }) };
}
