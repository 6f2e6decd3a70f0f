import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlarmQueue, QueuePush } from '#cloud/alarm-queue/index.ts';
import { alarmQueuePushRouter, alarmQueueRouter } from '#cloud/http/index.ts';
import { type CallbackClient, createCallbackClient } from '#cloud/io/callback/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { makeSenderKey, openSenderKey } from '#cloud/io/key/index.ts';
import { pushSender } from '#cloud/io/web-push/index.ts';
import { auditAfter, deletePerson, deleteRole, tenantByDomain } from '#cloud/store/index.ts';
import { mayAnswerAlarms } from '#cloud/tenant/index.ts';
import type { AlarmQueuedData } from '#shared/contract/alarm-queue/index.ts';
import { exposition } from '#shared/metric/index.ts';
import { ok } from '#shared/result.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { openPushService, type PushBrowser, type PushService } from '#test/support/push/push-service.ts';
import { type Answer, ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { type Browser, browse, makePerson } from '../people.ts';

/* Browsers of people that are woken when an alarm waits, by a push service that opens each message as the browser does. */

const PUSH = '/alarmqueue/a.test/push';
const ALARM = '01jd0000000000000000000000';
const DATA: AlarmQueuedData = {
  ...{
    sessionId: ALARM,
    traceId: 'trace-1',
    replyId: 'reply-1',
    call: 'none',
    reason: 'no person has accepted',
  },
  ...{ since: 1_000, protocol: 'scaip', deviceId: 'flat-22', hasVoice: true, isDeviceHere: false, called: 3 },
};

let folder: string;
let service: PushService;
let client: CallbackClient;
let api: TestApi;
let tenant: string;
let queue: AlarmQueue;
let push: QueuePush;
let ada: Browser;
let bo: Browser;
let key: string;
/** Ends the pauses between two rounds. */
let pauses: (() => void)[];
let logged: Record<string, unknown>[];
let resolved: string;

/** Settings of the operator; `allowPrivate` lets the push service of the test be called at all. */
interface Setting {
  readonly services?: readonly string[];
  readonly allowPrivate?: readonly string[];
}

async function begin({
  services = ['push.test'],
  allowPrivate = ['127.0.0.0/8'],
}: Setting = {}): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'carillon-push-'));
  const authority = await openFolderAuthority(folder, Date.now());
  service = await openPushService(await authority.issueServer(['push.test'], Date.now()), 'push.test');
  client = createCallbackClient({
    allowPrivate,
    listeners: () => [],
    extraCas: [authority.ca],
    resolve: async () => [{ address: resolved, family: 4 }],
  });
  const sender = openSenderKey(makeSenderKey(), 'https://cloud.carillon.test');
  key = sender.publicKey;
  api = await openApi({}, async (store) => {
    const nowMs = () => api.clock.now;
    push = new QueuePush({
      ...{ store, sha256: digest.sha256, services, publicKey: key },
      send: pushSender({ key: sender, post: client.post, random: digest.random, nowMs }),
      mayAnswer: (id, person) => mayAnswerAlarms(store, id, person, nowMs()),
      pause: () => new Promise((resolve) => pauses.push(resolve)),
      log: (_, event, __, details) => void logged.push({ event, ...details }),
    });
    queue = new AlarmQueue({ store, nowMs, onChange: () => undefined, onRing: (id) => push.ring(id) });
    const host = async () => ok({ status: 200, body: { success: true } });
    return [alarmQueuePushRouter(push), alarmQueueRouter(queue, host)];
  });
  await makeTenant(api, 'a.test');
  await makeTenant(api, 'b.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  ada = await makePerson(api, 'a.test', 'ada@a.test', 'operator');
  bo = await makePerson(api, 'a.test', 'bo@a.test', 'operator');
}

beforeEach(() => {
  pauses = [];
  logged = [];
  resolved = '127.0.0.1';
});
afterEach(async () => {
  push.close();
  for (const go of pauses) go();
  expect(api.defects).toEqual([]);
  await Promise.all([api.close(), service.close(), client.close()]);
  rmSync(folder, { recursive: true });
});

const report = async (more: Partial<AlarmQueuedData> = {}): Promise<void> => {
  const place = { tenant, siteId: 'north', uid: 'host-1', sh: '00' };
  const then = await api.database.store.withTx((tx) =>
    queue.reported(tx, place, 'gw-1', { ...DATA, ...more }, api.clock.now),
  );
  then();
};
const add = (who: Browser, body: object): Promise<Answer> => browse(api, who, 'POST', PUSH, { body });
const act = (who: Browser, verb: string, body: object = {}): Promise<Answer> =>
  browse(api, who, 'POST', `/alarmqueue/a.test/${ALARM}/${verb}`, { body });
const browsersOf = async (who: Browser): Promise<unknown> =>
  (await browse(api, who, 'GET', PUSH)).body.browsers;
const codeOf = ({ body }: Answer): unknown => (body.error as { code?: unknown } | undefined)?.code;
/** A round is over when its pause begins. */
const rounds = (count: number) => expect.poll(() => pauses.length).toBe(count);
const outcomes = (): string[] =>
  exposition(push.families)
    .split('\n')
    .filter((line) => line.startsWith('carillon_'));
const idOf = ({ endpoint }: PushBrowser): string => digest.sha256(endpoint);

describe('a browser that is woken', () => {
  test('gets one encrypted message with its time, urgency and topic, which names nothing', async () => {
    await begin();
    const browser = service.subscribe();
    expect((await add(ada, browser)).body).toEqual({ success: true });
    await report();
    await rounds(1);
    expect(service.messages).toHaveLength(1);
    const [message] = service.messages;
    expect(message?.endpoint).toBe(browser.endpoint);
    expect(message?.headers).toMatchObject({
      ...{ ttl: '300', urgency: 'high', topic: 'alarm-queue', 'content-encoding': 'aes128gcm' },
      authorization: expect.stringMatching(new RegExp(`^vapid t=[\\w.-]+, k=${key}$`)),
    });
    expect(message?.text).toBe('{"kind":"alarmWaiting"}');
    // Signature and keys are random in base64: a short name stands in one of them now and then.
    const { authorization, ...headers } = message?.headers ?? {};
    const token = String(authorization).split('.')[1] ?? '';
    const said = [Buffer.from(token, 'base64url').toString(), JSON.stringify(headers), message?.text].join();
    for (const secret of ['flat-22', ALARM, 'a.test', 'ada', 'north', 'gw-1', tenant])
      expect(said).not.toContain(secret);
    expect(outcomes()).toEqual(['carillon_web_push_total{outcome="accepted"} 1']);
  });

  test('is woken again when the alarm is given back or lost, and by nothing else', async () => {
    await begin();
    await add(ada, service.subscribe());
    await report();
    await rounds(1);
    await act(bo, 'take', { by: 'none' });
    await act(bo, 'heartbeat', { turn: 1 });
    await act(bo, 'note', { text: 'Her son is on the way.' });
    await report({ call: 'talking' });
    pauses[0]?.();
    await act(bo, 'release', { turn: 1 });
    await rounds(2);
    expect(service.messages).toHaveLength(2);
    pauses[1]?.();
    await act(bo, 'take', { by: 'none' });
    api.clock.now += 15_000;
    await queue.sweep();
    await rounds(3);
    expect(service.messages).toHaveLength(3);
  });

  test('gets one message for all alarms that begin at once, and one more for those that follow', async () => {
    await begin();
    await add(ada, service.subscribe());
    await report();
    await rounds(1);
    for (const id of ['one', 'two', 'three']) await report({ sessionId: id });
    expect(service.messages).toHaveLength(1);
    pauses[0]?.();
    await rounds(2);
    expect(service.messages).toHaveLength(2);
    pauses[1]?.();
    await report({ sessionId: 'four' });
    await rounds(3);
    expect(service.messages).toHaveLength(3);
  });

  test('changes nothing of the alarm, whatever the push service says', async () => {
    await begin();
    const browser = service.subscribe();
    await add(ada, browser);
    for (const status of [201, 500, 410]) {
      service.answer(browser, status);
      await report({ sessionId: `of-${status}` });
      await rounds([201, 500, 410].indexOf(status) + 1);
      pauses.at(-1)?.();
      const { body } = await browse(api, ada, 'GET', `/alarmqueue/a.test/of-${status}`);
      expect(body.alarm).toMatchObject({ state: 'waiting', turn: 0, notes: [] });
    }
  });
});

describe('the browsers of a person', () => {
  test('are listed without their addresses, for that person alone', async () => {
    await begin();
    const browser = service.subscribe();
    await add(ada, browser);
    const { body } = await browse(api, ada, 'GET', PUSH);
    expect(body).toEqual({
      ...{ success: true, publicKey: key },
      browsers: [{ id: idOf(browser), service: 'push.test', createdAt: api.clock.now }],
    });
    expect(await browsersOf(bo)).toEqual([]);
    expect((await browse(api, bo, 'DELETE', `${PUSH}/${idOf(browser)}`)).status).toBe(404);
    expect((await browse(api, ada, 'DELETE', `${PUSH}/${idOf(browser)}`)).status).toBe(200);
    expect(await browsersOf(ada)).toEqual([]);
    await report();
    await rounds(1);
    expect(service.messages).toEqual([]);
  });

  test('lie sealed in the database, and stand in the audit log without an address', async () => {
    await begin();
    const browser = service.subscribe();
    await add(ada, browser);
    const { store } = api.database;
    const rows = await store.db.select().from(store.tables.pushSubscription);
    expect(JSON.stringify(rows)).not.toContain(new URL(browser.endpoint).pathname);
    expect(JSON.stringify(rows)).not.toContain(browser.keys.auth);
    const entries = (await auditAfter(store, tenant, 0, 1_000)).filter(
      ({ entity }) => entity === 'pushbrowser',
    );
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ['create', { service: 'push.test' }],
    ]);
  });

  test('belong to the person who subscribed last, ten for each', async () => {
    await begin();
    const shared = service.subscribe();
    await add(ada, shared);
    await add(bo, shared);
    expect(await browsersOf(ada)).toEqual([]);
    for (let count = 1; count < 10; count++) expect((await add(bo, service.subscribe())).status).toBe(200);
    expect(codeOf(await add(bo, service.subscribe()))).toBe('conflict');
    // The same browser again is none more.
    expect((await add(bo, shared)).status).toBe(200);
  });

  test('are silent when the person has lost the role, and removed with the person', async () => {
    await begin();
    await add(ada, service.subscribe());
    const of = service.subscribe();
    await add(bo, of);
    const { store } = api.database;
    const { person } = store.tables;
    const [row] = await store.db.select().from(person).where(eq(person.email, 'ada@a.test'));
    await store.withTx((tx) => deleteRole(tx, tenant, row?.id ?? ''));
    await report();
    await rounds(1);
    expect(service.messages.map(({ endpoint }) => endpoint)).toEqual([of.endpoint]);
    await store.withTx((tx) => deletePerson(tx, row?.id ?? ''));
    const left = await store.db.select().from(store.tables.pushSubscription);
    expect(left.map(({ id }) => id)).toEqual([idOf(of)]);
  });

  test('are no matter of keys, viewers and foreign tenants', async () => {
    await begin();
    const viewer = await makePerson(api, 'a.test', 'vera@a.test', 'viewer');
    expect((await add(viewer, service.subscribe())).status).toBe(403);
    const foreign = await browse(api, ada, 'POST', '/alarmqueue/b.test/push', { body: service.subscribe() });
    expect(foreign.status).toBe(403);
    expect((await ask(api, 'GET', PUSH, { token: null })).status).toBe(401);
  });
});

describe('a push service', () => {
  test.each([404, 410])('that answers %i has forgotten the browser, and so do we', async (status) => {
    await begin();
    const [lost, there] = [service.subscribe(), service.subscribe()];
    await add(ada, lost);
    await add(bo, there);
    service.answer(lost, status);
    await report();
    await rounds(1);
    expect(await browsersOf(ada)).toEqual([]);
    expect(await browsersOf(bo)).toHaveLength(1);
    expect(outcomes().toSorted()).toEqual([
      'carillon_web_push_total{outcome="accepted"} 1',
      'carillon_web_push_total{outcome="gone"} 1',
    ]);
    expect(logged).toEqual([]);
  });

  test.each<[number, Readonly<Record<string, string>>]>([
    [400, {}],
    [429, { 'Retry-After': '60' }],
    [500, {}],
    [307, { Location: 'https://push.test/elsewhere' }],
  ])('that answers %i is counted and logged, and the browser stays', async (status, headers) => {
    await begin();
    const browser = service.subscribe();
    await add(ada, browser);
    service.answer(browser, status, headers);
    await report();
    await rounds(1);
    expect(service.messages).toHaveLength(1);
    expect(outcomes()).toEqual(['carillon_web_push_total{outcome="failed"} 1']);
    expect(logged).toEqual([
      { event: 'web_push.failed', browsers: 1, reason: expect.stringContaining(String(status)) },
    ]);
    expect(JSON.stringify(logged)).not.toContain(new URL(browser.endpoint).pathname);
    expect(await browsersOf(ada)).toHaveLength(1);
  });

  test.each([
    ['of a name that the operator did not allow', (one: string) => one.replace('push.test', 'other.test')],
    ['below an allowed name', (one: string) => one.replace('push.test', 'deep.push.test')],
    ['that ends as an allowed name', (one: string) => one.replace('push.test', 'not-push.test')],
    ['with a password', (one: string) => one.replace('https://', 'https://a:b@')],
    ['that is an address', (one: string) => one.replace('push.test', '127.0.0.1')],
  ])('%s is refused', async (_, alter) => {
    await begin();
    const browser = service.subscribe();
    const refused = await add(ada, { ...browser, endpoint: alter(browser.endpoint) });
    expect([refused.status, codeOf(refused)]).toEqual([400, 'pushServiceRefused']);
    expect(await browsersOf(ada)).toEqual([]);
  });

  test.each([
    ['plain http', (one: PushBrowser) => ({ ...one, endpoint: one.endpoint.replace('https', 'http') })],
    ['a short key', (one: PushBrowser) => ({ ...one, keys: { ...one.keys, p256dh: 'BAAA' } })],
    ['a short secret', (one: PushBrowser) => ({ ...one, keys: { ...one.keys, auth: 'AAAA' } })],
    ['no keys', ({ endpoint }: PushBrowser) => ({ endpoint })],
  ])('with %s is no subscription', async (_, alter) => {
    await begin();
    expect((await add(ada, alter(service.subscribe()))).status).toBe(400);
  });

  test('in a private network is not called without the setting, whatever its name', async () => {
    await begin({ allowPrivate: [] });
    await add(ada, service.subscribe());
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      resolved = address;
      await report({ sessionId: `of-${address}` });
      await expect.poll(() => logged.length).toBeGreaterThan(0);
      expect(logged.splice(0)[0]).toMatchObject({ reason: expect.stringContaining(address) });
      pauses.at(-1)?.();
    }
    expect(service.messages).toEqual([]);
  });

  test('below a wildcard is allowed, and no more when the setting has changed', async () => {
    const services = ['*.test'];
    await begin({ services });
    await add(ada, service.subscribe());
    await report();
    await rounds(1);
    expect(service.messages).toHaveLength(1);
    services.splice(0, 1, 'other.test');
    pauses[0]?.();
    await report({ sessionId: 'after' });
    await rounds(2);
    expect(service.messages).toHaveLength(1);
    expect(logged).toHaveLength(1);
  });

  test('is never called, and no browser is added, without the setting', async () => {
    await begin({ services: [] });
    const browser = service.subscribe();
    expect((await browse(api, ada, 'GET', PUSH)).body).toEqual({ success: true, browsers: [] });
    expect([(await add(ada, browser)).status, codeOf(await add(ada, browser))]).toEqual([409, 'pushOff']);
    await report();
    expect(pauses).toEqual([]);
    expect(service.messages).toEqual([]);
  });
});
