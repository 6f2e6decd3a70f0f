import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import { WrongTries } from '#cloud/site/enrolment/wrong-try.ts';
import { createListenings, type Listenings } from '#cloud/site/index.ts';
import { insertTenant, putNotificationSettings, type Store } from '#cloud/store/index.ts';
import type { Result } from '#shared/result.ts';
import { dialects, openTestDatabase, vault } from '../store/database.ts';
import { callAt, NOW, TENANT } from './stage.ts';

/* State that all replicas share: each core is made three times, as three replicas make it. */

const MINUTE = 60_000;
const unwrapped = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

describe.each(dialects)('on %s', (dialect) => {
  let store: Store;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ store, close } = await openTestDatabase(dialect));
    await store.withTx(async (tx) => {
      await insertTenant(tx, { ...TENANT, name: null, createdAt: NOW, notBefore: 0 });
      const body = { callbackCopies: true };
      await putNotificationSettings(tx, { tenant: TENANT.id, body, updatedAt: NOW });
    });
  }, 60_000);
  afterEach(() => close());

  it('wrong claim codes of a network are five at all replicas together, and reported once', async () => {
    const [a, b] = [0, 1].map(() => new WrongTries({ store, random: digest.random })) as [
      WrongTries,
      WrongTries,
    ];
    const reported = [];
    for (const [n, each] of [a, b, a, b, a].entries()) {
      expect(await each.check('192.0.2.9', NOW + n)).toBeUndefined();
      reported.push(await each.note('192.0.2.9', NOW + n));
    }
    expect(reported).toEqual([true, false, false, false, false]);
    for (const each of [a, b])
      expect(await each.check('192.0.2.9', NOW + 5)).toMatchObject({ error: { code: 'tooManyRequests' } });
    expect(await b.check('192.0.2.10', NOW + 5)).toBeUndefined();
    expect(await b.check('192.0.2.9', NOW + 16 * MINUTE)).toBeUndefined();
    expect(await b.note('192.0.2.9', NOW + 61 * MINUTE)).toBe(true);
    expect(await store.db.select().from(store.tables.wrongClaim)).toHaveLength(1);
  });

  describe('a listening', () => {
    const clock = { now: NOW };
    let ids: number;
    let a: Listenings;
    let b: Listenings;
    let c: Listenings;
    beforeEach(() => {
      clock.now = NOW;
      ids = 0;
      const replica = (): Listenings =>
        createListenings({
          ...{ store, vault, nowMs: () => clock.now, publicUrl: () => 'https://cloud.example' },
          ask: () => Promise.reject(new Error('there is no host here')),
          randomId: () => `id-${++ids}`,
          after: (ms, run) => void (ms < MINUTE && setImmediate(run)),
        });
      [a, b, c] = [replica(), replica(), replica()];
    });
    const open = async (answers = false): Promise<string> =>
      unwrapped(await a.start(callAt(NOW), { hours: 1, answers })).listenId;

    it('that was opened at one replica is listed, followed and closed at the others', async () => {
      const listenId = await open();
      expect(await b.list(TENANT.id)).toMatchObject([{ listenId, follows: false, copies: 0 }]);
      const first = unwrapped(await b.follow(TENANT.id, listenId));
      expect(await c.list(TENANT.id)).toMatchObject([{ listenId, follows: true }]);
      // A reader at another replica ends the one before.
      const second = unwrapped(await c.follow(TENANT.id, listenId));
      expect(await first.next()).toEqual({ event: 'over' });
      expect(await second.next()).toEqual({ event: 'beat' });
      expect((await a.stop(callAt(NOW), listenId)).ok).toBe(true);
      expect(await second.next()).toEqual({ event: 'over' });
      expect(await b.follow(TENANT.id, listenId)).toMatchObject({ error: { code: 'notFound' } });
      expect(await a.list(TENANT.id)).toEqual([]);
    });

    it('answers a callback that meets another replica, by an answer at a third one', async () => {
      const listenId = await open(true);
      const request = { path: '/newCall', headers: { authorization: 'Bearer x' }, body: '{"a":1}' };
      expect(await c.asked(listenId, request)).toMatchObject({ error: { code: 'notListening' } });
      const reader = unwrapped(await b.follow(TENANT.id, listenId));
      const asking = c.asked(listenId, request);
      let event = await reader.next();
      while (event.event === 'beat') event = await reader.next();
      expect(event).toMatchObject({ event: 'ask', data: request });
      const rows = await store.db.select().from(store.tables.listeningAsk);
      // It lies in a row meanwhile, and is not to be read there.
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain('Bearer');
      const answer = { requestId: String(rows[0]?.id), status: 200, headers: {}, body: 'from the developer' };
      expect((await a.answered(TENANT.id, listenId, answer)).ok).toBe(true);
      expect(await asking).toEqual({ ok: true, value: answer });
      expect(await a.answered(TENANT.id, listenId, answer)).toMatchObject({ error: { code: 'notFound' } });
      expect(await store.db.select().from(store.tables.listeningAsk)).toEqual([]);
      reader.close();
    });

    it('whose replica died is not said to be read, and its callbacks are refused at once', async () => {
      const listenId = await open(true);
      unwrapped(await b.follow(TENANT.id, listenId));
      clock.now += 10_000;
      expect(await c.list(TENANT.id)).toMatchObject([{ follows: false }]);
      expect(await c.asked(listenId, { path: '/', headers: {}, body: '' })).toMatchObject({
        error: { code: 'notListening' },
      });
    });
  });
});
