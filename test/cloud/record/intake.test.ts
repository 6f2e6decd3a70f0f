import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { furtherEndSteps } from '#cloud/record/further-end.ts';
import { auditAfter, blankRecord, recordHoursBetween, recordSeq, recordsOf } from '#cloud/store/index.ts';
import type { HostPlace } from '#shared/contract/feed/index.ts';
import { dialects, openTestDatabase, type TestDatabase } from '../store/database.ts';
import { batchOf, callOf, type IntakeStage, intakeStage, NOW, recordIdOf } from './stage.ts';

// A database in WebAssembly takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(dialects)('records that hosts send, on %s', (dialect) => {
  let database: TestDatabase;
  let stage: IntakeStage;
  let host: HostPlace;
  beforeEach(async () => {
    database = await openTestDatabase(dialect);
    stage = await intakeStage(database.store);
    host = await stage.host('u1');
  });
  afterEach(() => database.close());

  const take = (batch: unknown, at = NOW, from = host) =>
    stage.intake.take(from, `gw-${from.uid}`, batch, at);
  const stored = async (n: number, tenant = 't') =>
    (await recordsOf(database.store, tenant, [recordIdOf(n)]))[0];
  const counts = async () =>
    (await recordHoursBetween(database.store, 't', { fromMs: 0, toMs: NOW * 2 }, undefined)).map(
      ({ kind, result, amount }) => `${kind} ${result} ${amount}`,
    );
  const refusals = async () =>
    (await auditAfter(database.store, 't', 0, 100))
      .filter(({ action, entity }) => action === 'refuse' && entity === 'record')
      .flatMap(({ detail }) => (detail as { refused: { seq: number; reason: string }[] }).refused);

  test('a record gets tenant, site and host from the topic, and keeps members that are not known yet', async () => {
    const sent = callOf(1, {
      laterMember: { a: 1 },
      tenant: 'o',
      siteId: 'south',
      warnings: ['late', 'loud'],
    });
    expect(await take(batchOf([1, sent]))).toBe(1);
    expect(await stored(1)).toMatchObject({
      ...{ tenant: 't', siteId: 'north', uid: 'u1', hostId: 'gw-u1', seq: 1, month: 202611 },
      ...{ kind: 'call', result: 'done', at: NOW + 1, receivedAt: NOW, traceId: 'trace-1' },
      ...{ deviceId: 'flat-1', fromParty: '+46701', toParty: '+4680555', warnings: 'late\nloud' },
      body: { record: { laterMember: { a: 1 }, durationMs: 60_000 } },
    });
    expect(await stored(1, 'o')).toBeUndefined();
    expect(stage.announced).toMatchObject([{ tenant: 't', rows: [{ id: recordIdOf(1) }] }]);
  });

  test('an end replaces its start, a start that comes late changes nothing, and each is counted once', async () => {
    expect(await take(batchOf([1, callOf(1, { result: 'running' })]))).toBe(1);
    expect(await counts()).toEqual(['call running 1']);
    expect(await take(batchOf([2, callOf(1, { result: 'unanswered' })]))).toBe(2);
    expect(await take(batchOf([3, callOf(1, { result: 'running' })]))).toBe(3);
    expect(await stored(1)).toMatchObject({ result: 'unanswered', seq: 2 });
    expect(await counts()).toEqual(['call unanswered 1']);
    // Also in one batch.
    expect(await take(batchOf([4, callOf(2, { result: 'running' })], [5, callOf(2)]))).toBe(5);
    expect(await counts()).toEqual(['call done 1', 'call unanswered 1']);
  });

  test('the same batch twice, and an older record again, change nothing and are acknowledged', async () => {
    const batch = batchOf([1, callOf(1, { result: 'running' })], [2, callOf(1)], [3, callOf(3)]);
    expect(await take(batch)).toBe(3);
    const before = await stored(1);
    expect(await take(batch, NOW + 5_000)).toBe(3);
    expect(await take(batchOf([1, callOf(1, { durationMs: 1 })]))).toBe(3);
    expect(await stored(1)).toEqual(before);
    expect(await counts()).toEqual(['call done 2']);
    expect(stage.announced).toHaveLength(1);
  });

  test('a damaged record is refused and audited, the others are taken', async () => {
    const long = callOf(4, { laterMember: 'x'.repeat(4_096) });
    const batch = batchOf(
      [1, callOf(1)],
      [2, callOf(2, { kind: 'nonsense' })],
      [3, 'no object'],
      [4, long],
      [5, callOf(5)],
    );
    expect(await take(batch)).toBe(5);
    expect([await stored(1), await stored(5)].map((row) => row?.seq)).toEqual([1, 5]);
    expect([await stored(2), await stored(4)]).toEqual([undefined, undefined]);
    expect(await refusals()).toMatchObject([
      { seq: 2, reason: expect.stringContaining('/kind') },
      { seq: 3 },
      { seq: 4, reason: 'it is longer than 4096 bytes' },
    ]);
    expect(await take({ v: 1, sid: 'x', items: [] })).toBeUndefined();
    expect(await take({ ...batchOf([6, callOf(6)]), items: [{ record: callOf(6) }] })).toBe(5);
    expect((await refusals()).at(-1)?.reason).toBe('1 items have no number');
  });

  test('the record of another site is refused, that of another tenant does not exist here', async () => {
    const south = await stage.host('u2', 'south');
    const foreign = await stage.host('u3', 'north', 'o');
    await take(batchOf([1, callOf(1, { result: 'running' })]));
    expect(await take(batchOf([1, callOf(1)]), NOW, south)).toBe(1);
    expect(await refusals()).toEqual([{ seq: 1, reason: `the record ${recordIdOf(1)} is of another site` }]);
    expect(await take(batchOf([1, callOf(1, { result: 'failed' })]), NOW, foreign)).toBe(1);
    expect((await stored(1))?.result).toBe('running');
    expect((await stored(1, 'o'))?.result).toBe('failed');
  });

  test('after a take-over the host that goes on with the session ends it, and the first one cannot undo that', async () => {
    const peer = await stage.host('u2');
    await take(batchOf([7, callOf(1, { result: 'running' }), 0]));
    await take(batchOf([1, callOf(1, { result: 'running', restarts: 1 })]), NOW, peer);
    expect(await stored(1)).toMatchObject({ uid: 'u2', hostId: 'gw-u2', result: 'running' });
    // The first host comes back and sends what it still has.
    await take(batchOf([7, callOf(1, { result: 'running' })]));
    expect((await stored(1))?.uid).toBe('u2');
    await take(batchOf([8, callOf(1, { result: 'interrupted' })]));
    expect((await stored(1))?.result).toBe('interrupted');
    await take(batchOf([2, callOf(1, { result: 'done', restarts: 1 })]), NOW, peer);
    expect(await stored(1)).toMatchObject({ uid: 'u2', result: 'done' });
    await take(batchOf([9, callOf(1, { result: 'interrupted' })]));
    expect(await stored(1)).toMatchObject({ uid: 'u2', result: 'done' });
  });

  describe('two hosts end one session, as the one that was taken over comes back', () => {
    const ended = (n: number, result: string, at: number, restarts?: number) =>
      callOf(n, {
        result,
        reason: `the reason of ${at}`,
        restarts,
        times: { arrived: NOW, ended: NOW + at },
      });
    const steps = async () => {
      const row = await stored(1);
      return row === undefined
        ? []
        : furtherEndSteps(row).map(({ at, hostId, detail }) => [hostId, at - NOW, detail]);
    };

    test.each(['the first host says its end first', 'the other host says its end first'])(
      '%s',
      async (order) => {
        const peer = await stage.host('u2');
        await take(batchOf([1, callOf(1, { result: 'running' })]));
        const acts = [
          () => take(batchOf([2, ended(1, 'unanswered', 50)])),
          () => take(batchOf([1, ended(1, 'done', 90, 1)]), NOW, peer),
        ];
        for (const act of order.startsWith('the first') ? acts : acts.toReversed()) await act();
        // The end of the host that went on with the session counts.
        expect(await stored(1)).toMatchObject({ uid: 'u2', result: 'done' });
        const step = ['gw-u1', 50, { result: 'unanswered', reason: 'the reason of 50', counts: 'gw-u2' }];
        expect(await steps()).toEqual([step]);
        expect(await counts()).toEqual(['call done 1']);
        // Both are sent again: nothing changes, and no step comes twice.
        for (const act of acts) await act();
        const reported = stage.announced.length;
        await take(batchOf([3, ended(1, 'unanswered', 50)]));
        await take(batchOf([3, ended(1, 'unanswered', 50)]));
        expect(await steps()).toEqual([step]);
        expect(stage.announced.length - reported).toBe(1);
      },
    );

    test('an end that says only that the host does not know is the step', async () => {
      const peer = await stage.host('u2');
      await take(batchOf([1, ended(1, 'done', 10, 0)]));
      await take(batchOf([1, ended(1, 'interrupted', 5, 1)]), NOW, peer);
      expect(await stored(1)).toMatchObject({ uid: 'u1', result: 'done' });
      expect(await steps()).toMatchObject([['gw-u2', 5, { result: 'interrupted' }]]);
    });

    test('an erasure leaves no further end', async () => {
      const peer = await stage.host('u2');
      await take(batchOf([1, ended(1, 'done', 10)]));
      await take(batchOf([1, ended(1, 'failed', 5, 1)]), NOW, peer);
      expect(await steps()).toHaveLength(1);
      await database.store.withTx((tx) => blankRecord(tx, 't', recordIdOf(1)));
      await take(batchOf([2, ended(1, 'failed', 6, 1)]), NOW, peer);
      expect(await steps()).toEqual([]);
    });
  });

  test('a gap makes the host go back once; when it has nothing before it, the record is taken', async () => {
    expect(await take(batchOf([1, callOf(1)]))).toBe(1);
    const gap = batchOf([5, callOf(5), 4], [6, callOf(6)]);
    expect(await take(gap)).toBe(1);
    expect(await stored(5)).toBeUndefined();
    // It had them: they come in order.
    expect(await take(batchOf([4, callOf(4), 1], [5, callOf(5)]))).toBe(5);
    const hole = batchOf([9, callOf(9), 8]);
    expect(await take(hole)).toBe(5);
    expect(await take(hole)).toBe(9);
    expect(await recordSeq(database.store, 'u1')).toBe(9);
  });

  test('a begin that no right clock can give becomes the time of the arrival, and says so', async () => {
    const ahead = NOW + 600_001;
    await take(
      batchOf(
        [1, callOf(1, { at: ahead })],
        [2, callOf(2, { at: 5_000 })],
        [3, callOf(3, { at: NOW - 86_400_000 })],
      ),
    );
    expect(await stored(1)).toMatchObject({ at: NOW, body: { estimated: true, record: { at: ahead } } });
    expect(await stored(2)).toMatchObject({ at: NOW, body: { estimated: true } });
    // A day offline is no wrong clock.
    expect((await stored(3))?.at).toBe(NOW - 86_400_000);
    expect((await stored(3))?.body.estimated).toBeUndefined();
    // The clock was set right until the end of the session.
    await take(batchOf([4, callOf(1, { result: 'failed', at: NOW - 10 }), 3]), NOW + 60_000);
    await take(batchOf([5, callOf(1, { at: NOW - 20 }), 4]), NOW + 120_000);
    expect(await stored(1)).toMatchObject({ at: NOW - 20, receivedAt: NOW, month: 202611 });
    // Each in the hour of its present begin.
    expect(await counts()).toEqual(['call done 1', 'call done 1', 'call done 1']);
  });

  test('10,000 records in a burst are all there, each once', async () => {
    const size = 50;
    for (let first = 1; first <= 10_000; first += size) {
      const numbers = Array.from({ length: size }, (_, n) => first + n);
      expect(await take(batchOf(...numbers.map((n) => [n, callOf(n)] as const)))).toBe(first + size - 1);
    }
    expect(await counts()).toEqual(['call done 10000']);
    expect((await stored(10_000))?.seq).toBe(10_000);
  });
});
