import { createHash, createHmac, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CallbackRelay,
  createCallbackRelay,
  type RelayAnswer,
  type RelayPost,
} from '#cloud/callback-relay/index.ts';
import { signJwt } from '#cloud/io/callback/index.ts';
import { insertTenant, putNotificationSettings, type Store } from '#cloud/store/index.ts';
import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import type { NotificationSettings } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { openTestDatabase } from '../store/database.ts';

const TENANT = '01jtenant0000000000000000t';
const URL = 'https://arc.example/platform?x=1';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const ALARM: PlatformAlarm = {
  type: 'monitoringAlarm',
  domain: 'care.example',
  time: 1,
  traceId: 'trace-1',
  siteId: 'north',
  error: 'noHeartbeatReply',
};

let store: Store;
let close: () => Promise<void>;
let relay: CallbackRelay;
let nowMs: number;
let posts: RelayPost[];
let answers: Result<RelayAnswer>[];

beforeEach(async () => {
  ({ store, close } = await openTestDatabase('sqlite'));
  nowMs = 1_770_000_000_000;
  posts = [];
  answers = [];
  await store.withTx((tx) =>
    insertTenant(tx, { id: TENANT, domain: 'care.example', name: null, createdAt: 0, notBefore: 0 }),
  );
  relay = createCallbackRelay({
    store,
    replica: 'r1',
    nowMs: () => nowMs,
    random: (length) => randomBytes(length),
    chance: () => 0.5,
    sha256,
    signJwt,
    post: async (request) => {
      posts.push(request);
      return answers.shift() ?? ok({ status: 200 });
    },
    log: () => undefined,
  });
});
afterEach(() => close());

const settings = (body: Partial<NotificationSettings>) =>
  store.withTx((tx) => putNotificationSettings(tx, { tenant: TENANT, body, updatedAt: 0 }));
const secret = (text: string, sub: string) => ({ sub, secret: text, type: 'HS256' as const });
const enqueue = (id = 'a1') => store.withTx((tx) => relay.enqueue(tx, TENANT, id, ALARM, nowMs));

describe('relay of alarms', () => {
  it('posts to exactly the URL, signed for this body, and not again', async () => {
    await settings({
      alarmEventsRestEndpoint: URL,
      restAuthentication: [
        { ...secret('s3cret', 'carillon'), scope: 'alarm', requestHeaders: { 'X-Key': 'k', Host: 'evil' } },
      ],
    });
    await enqueue();
    expect(await relay.deliver()).toBeUndefined();
    expect(await relay.deliver()).toBeUndefined();
    expect(posts).toHaveLength(1);
    const [post] = posts;
    expect(post).toMatchObject({
      url: URL,
      headers: { 'Idempotency-Key': 'a1', 'X-Trace-Id': 'trace-1', 'X-Delivery-Attempt': '1', 'X-Key': 'k' },
    });
    expect(post?.headers).not.toHaveProperty('Host');
    expect(JSON.parse(post?.body ?? '')).toEqual(ALARM);
    const [header, claims, signature] = (post?.headers.Authorization ?? '').replace('Bearer ', '').split('.');
    const mac = createHmac('sha256', 's3cret').update(`${header}.${claims}`).digest('base64url');
    expect(signature).toBe(mac);
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      sub: 'carillon',
      scope: 'alarm',
      iss: 'care.example',
      aud: 'https://arc.example',
      iat: nowMs / 1000,
      exp: nowMs / 1000 + 300,
      bodySha256: sha256(post?.body ?? ''),
    });
  });

  it('keeps nothing for a tenant without an endpoint', async () => {
    await enqueue();
    await settings({});
    await enqueue('a2');
    await relay.deliver();
    expect(posts).toEqual([]);
  });

  it('tries the next credential at once when one is not let in, or cannot sign', async () => {
    const unfit = { secret: 'no key', type: 'ES256' as const };
    await settings({
      alarmEventsRestEndpoint: URL,
      restAuthentication: [unfit, secret('one', 'one'), secret('two', 'two')],
    });
    await enqueue();
    answers = [ok({ status: 401 }), ok({ status: 204 })];
    expect(await relay.deliver()).toBeUndefined();
    const subs = posts.map(
      ({ headers }) =>
        JSON.parse(Buffer.from(headers.Authorization?.split('.')[1] ?? '', 'base64url').toString()).sub,
    );
    expect(subs).toEqual(['one', 'two']);
  });

  it('tries again later and later with the same key, across a restart, and heeds Retry-After', async () => {
    await settings({ alarmEventsRestEndpoint: URL });
    await enqueue();
    answers = [
      fail('unreachable', 'no'),
      ok({ status: 503 }),
      ok({ status: 429, retryAfterS: 90 }),
      ok({ status: 200 }),
    ];
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const next = await relay.deliver();
      if (next === undefined) break;
      waits.push(next - nowMs);
      expect(await relay.deliver()).toBe(next);
      nowMs = next;
    }
    expect(waits).toEqual([1_000, 2_000, 90_000]);
    expect(new Set(posts.map(({ headers }) => headers['Idempotency-Key']))).toEqual(new Set(['a1']));
    expect(posts.map(({ headers }) => headers['X-Delivery-Attempt'])).toEqual(['1', '2', '3', '4']);
  });

  it('gives up after three refusals, or after 7 days', async () => {
    await settings({ alarmEventsRestEndpoint: URL });
    await enqueue();
    answers = Array.from({ length: 9 }, () => ok({ status: 400 }));
    for (let next = await relay.deliver(); next !== undefined; next = await relay.deliver()) nowMs = next;
    expect(posts).toHaveLength(3);

    answers = Array.from({ length: 99 }, () => ok({ status: 500 }));
    const begin = nowMs - 7 * 86_400_000 + 3_600_000;
    await store.withTx((tx) => relay.enqueue(tx, TENANT, 'a2', ALARM, begin));
    for (let next = await relay.deliver(); next !== undefined; next = await relay.deliver()) nowMs = next;
    expect(nowMs - begin).toBeGreaterThan(6.99 * 86_400_000);
    expect(nowMs - begin).toBeLessThanOrEqual(7 * 86_400_000);
  });

  it('is not held up by one dead receiver', async () => {
    await settings({ alarmEventsRestEndpoint: URL });
    await enqueue('a1');
    await enqueue('a2');
    answers = [fail('unreachable', 'no'), ok({ status: 200 })];
    await relay.deliver();
    expect(posts).toHaveLength(2);
  });
});
