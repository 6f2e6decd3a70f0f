import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  AlarmQueue,
  followReplicas,
  QueueFigures,
  QueueStream,
  QueueWalls,
} from '#cloud/alarm-queue/index.ts';
import { alarmQueueRouter, alarmQueueStreamRouter, alarmQueueWallRouter } from '#cloud/http/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import type { RelayedCall, RuntimeRelay } from '#cloud/site/index.ts';
import { auditAfter, readWaitingAlarm, tenantByDomain } from '#cloud/store/index.ts';
import {
  type AlarmQueuedData,
  alarmQueueNewsSchema,
  type WaitingAlarm,
} from '#shared/contract/alarm-queue/index.ts';
import { exposition } from '#shared/metric/index.ts';
import { fail, ok } from '#shared/result.ts';
import { type Answer, ask, makeTenant, OWNER_TOKEN, openApi, type TestApi } from '../api.ts';
import { type Browser, browse, makePerson } from '../people.ts';

/* People of a tenant take alarms that no person has accepted: one person each, with a heartbeat. */

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

let api: TestApi;
let token: string;
let tenant: string;
let queue: AlarmQueue;
let walls: QueueWalls;
const stream = new QueueStream();
let asked: RelayedCall[];
let hostSays: RuntimeRelay;
let ada: Browser;
let bo: Browser;

const report = async (more: Partial<AlarmQueuedData> = {}, domain = 'a.test'): Promise<void> => {
  const { store } = api.database;
  const id = (await tenantByDomain(store, domain))?.id ?? '';
  const place = { tenant: id, siteId: 'north', uid: 'host-1', sh: '00' };
  const then = await store.withTx((tx) =>
    queue.reported(tx, place, 'gw-1', { ...DATA, ...more }, api.clock.now),
  );
  then();
};

const act = (who: Browser, verb: string, body: object = {}, id = ALARM): Promise<Answer> =>
  browse(api, who, 'POST', `/alarmqueue/a.test/${id}/${verb}`, { body });
const alarmOf = ({ body }: Answer): WaitingAlarm => body.alarm as WaitingAlarm;
const codeOf = ({ body }: Answer): unknown => (body.error as { code?: unknown } | undefined)?.code;
const operations = () => asked.map(({ operation }) => operation);

beforeEach(async () => {
  asked = [];
  hostSays = async () => ok({ status: 200, body: { success: true } });
  api = await openApi({}, async (store) => {
    const nowMs = () => api.clock.now;
    queue = new AlarmQueue({
      ...{ store, nowMs, onRing: () => undefined },
      onChange: (id, alarm) => stream.add(id, alarm),
    });
    walls = new QueueWalls({ store, nowMs, ...digest });
    return [
      alarmQueueStreamRouter(stream, () => undefined),
      alarmQueueWallRouter(walls, (domain) => api.tenancy.tenant.find(domain)),
      alarmQueueRouter(queue, async (call) => {
        asked.push(call);
        return await hostSays(call);
      }),
    ];
  });
  token = await makeTenant(api, 'a.test');
  await makeTenant(api, 'b.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  ada = await makePerson(api, 'a.test', 'ada@a.test', 'operator');
  bo = await makePerson(api, 'a.test', 'bo@a.test', 'operator');
  await report();
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

describe('the list', () => {
  test('has the alarm with its facts, and neither its replyId nor one of another tenant', async () => {
    await report({ sessionId: 'of-b' }, 'b.test');
    const { status, body } = await browse(api, ada, 'GET', '/alarmqueue/a.test');
    expect(status).toBe(200);
    expect(body.alarms).toEqual([
      expect.objectContaining({
        alarmId: ALARM,
        state: 'waiting',
        turn: 0,
        deviceId: 'flat-22',
        hostId: 'gw-1',
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain('reply-1');
    const foreign = await browse(api, ada, 'GET', '/alarmqueue/b.test');
    expect(foreign.status).toBe(403);
    expect((await browse(api, ada, 'GET', '/alarmqueue/a.test/of-b')).status).toBe(404);
  });

  test('is closed to viewers and technicians, who cannot answer an alarm', async () => {
    for (const role of ['viewer', 'technician']) {
      const person = await makePerson(api, 'a.test', `${role}@a.test`, role);
      expect((await browse(api, person, 'GET', '/alarmqueue/a.test')).status).toBe(403);
      expect((await act(person, 'take', { by: 'none' })).status).toBe(403);
    }
  });

  test('is followed by a stream that begins with reset', async () => {
    const response = await api.app.request('/alarmqueue/a.test/stream', {
      headers: { Authorization: `Bearer ${token}` },
    });
    const reader = response.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    /** As the description of the API says it: the fields of an event as members. */
    const events = async () => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(await next()) ?? [];
      return alarmQueueNewsSchema.parse({ event, data: JSON.parse(data) });
    };
    expect(await next()).toContain('retry');
    expect(await events()).toEqual({ event: 'reset', data: {} });
    await act(ada, 'take', { by: 'none' });
    expect(await events()).toMatchObject({ event: 'alarm', data: { state: 'taken' } });
    await reader?.cancel();
  });
});

describe('the figures of the queue', () => {
  const figures = async (): Promise<string[]> => {
    const { store } = api.database;
    const look = new QueueFigures(store, stream, () => api.clock.now);
    await look.look();
    return exposition(look.families)
      .split('\n')
      .filter((line) => line.startsWith('carillon_'));
  };

  test('count alarms over all tenants, the longest wait without a person, and open consoles', async () => {
    await report({ sessionId: 'of-b' }, 'b.test');
    api.clock.now += 60_000;
    await report({ sessionId: 'of-b-ended', call: 'ended' }, 'b.test');
    api.clock.now += 30_000;
    const listening = stream.listen(tenant, () => undefined);
    expect(await figures()).toEqual([
      'carillon_alarm_queue_alarms{state="waiting"} 3',
      'carillon_alarm_queue_alarms{state="taken"} 0',
      'carillon_alarm_queue_alarms{state="released"} 0',
      'carillon_alarm_queue_oldest_seconds 90',
      'carillon_alarm_queue_unanswered 1',
      'carillon_alarm_queue_followers 1',
    ]);
    if (listening.ok) listening.value.close();
  });

  test('do not count an alarm as waiting that a person has, and count it again when it is given back', async () => {
    api.clock.now += 10_000;
    await act(ada, 'take', { by: 'none' });
    expect(await figures()).toEqual(
      expect.arrayContaining([
        'carillon_alarm_queue_alarms{state="taken"} 1',
        'carillon_alarm_queue_oldest_seconds 0',
        'carillon_alarm_queue_followers 0',
      ]),
    );
    await act(ada, 'release', { turn: 1 });
    api.clock.now += 5_000;
    expect(await figures()).toContain('carillon_alarm_queue_oldest_seconds 5');
    await act(ada, 'take', { by: 'none' });
    await act(ada, 'clear', { turn: 2 });
    expect(await figures()).toContain('carillon_alarm_queue_alarms{state="taken"} 0');
  });
});

describe('a person who takes an alarm', () => {
  test('is called by its host at the number of the profile, in the name of that person', async () => {
    await browse(api, ada, 'PATCH', '/provisioning/currentuser/profile', {
      body: { firstName: 'Ada', lastName: 'Byron', phone: '+46855511001' },
    });
    const taken = await act(ada, 'take', { by: 'phone', language: 'sv' });
    expect(taken.body).toMatchObject({ success: true, isCalled: true });
    expect(alarmOf(taken)).toMatchObject({ state: 'taken', turn: 1, taker: { name: 'Ada Byron' } });
    expect(asked[0]).toMatchObject({
      operation: 'takealarm',
      body: { sessionId: ALARM, destination: '+46855511001', accept: 'key', language: 'sv' },
      person: { role: 'operator' },
    });
  });

  test('is called at the telephone of the browser, whose answer accepts', async () => {
    await act(ada, 'take', { by: 'softphone', deviceId: 'desk-1' });
    expect(asked[0]?.body).toEqual({ sessionId: ALARM, destination: 'sip:desk-1@a.test', accept: 'answer' });
    expect((await act(bo, 'take', { by: 'softphone' })).status).toBe(400);
  });

  test('has the alarm also when its host cannot call, and hears why', async () => {
    hostSays = async () => fail('ownerUnreachable', 'The operation did not reach gw-1. Try again.');
    expect((await act(ada, 'take', { by: 'softphone', deviceId: 'd' })).body).toMatchObject({
      isCalled: false,
      reason: expect.stringContaining('gw-1'),
    });
    expect((await act(ada, 'take', { by: 'phone' })).body).toMatchObject({
      isCalled: false,
      reason: expect.stringContaining('no telephone number'),
    });
  });

  test('wins alone, of two at the same moment, and the other hears the name', async () => {
    const both = await Promise.all([act(ada, 'take', { by: 'none' }), act(bo, 'take', { by: 'none' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [won, lost] = both[0].status === 200 ? both : [both[1], both[0]];
    expect(codeOf(lost)).toBe('alarmTaken');
    expect(lost.body.reason).toContain(alarmOf(won).taker?.name);
  });

  test('keeps it by heartbeats; 15 s without one give it back to everybody', async () => {
    await act(ada, 'take', { by: 'none' });
    api.clock.now += 14_000;
    expect((await act(ada, 'heartbeat', { turn: 1 })).status).toBe(200);
    api.clock.now += 14_000;
    await queue.sweep();
    expect(codeOf(await act(bo, 'take', { by: 'none' }))).toBe('alarmTaken');
    api.clock.now += 1_000;
    await queue.sweep();
    const { body } = await browse(api, bo, 'GET', `/alarmqueue/a.test/${ALARM}`);
    expect(body.alarm).toMatchObject({ state: 'released', lastTaker: 'ada@a.test' });
    expect(codeOf(await act(ada, 'heartbeat', { turn: 1 }))).toBe('takerLost');
    const taken = await act(bo, 'take', { by: 'none' });
    expect(alarmOf(taken)).toMatchObject({ turn: 2, taker: { name: 'bo@a.test' } });
    const late = await act(ada, 'clear', { turn: 1 });
    expect([codeOf(late), late.body.reason]).toEqual(['takerLost', expect.stringContaining('bo@a.test')]);
    expect(operations()).toEqual([]);
  });

  test('gives it back, and the call at the host ends', async () => {
    await act(ada, 'take', { by: 'softphone', deviceId: 'd' });
    await report({ call: 'talking' });
    expect(alarmOf(await act(ada, 'release', { turn: 1 })).state).toBe('released');
    expect(operations()).toEqual(['takealarm', 'releasealarm']);
  });

  test('writes notes that the others read', async () => {
    expect((await act(bo, 'note', { text: 'Her son is on the way.' })).status).toBe(200);
    const { body } = await browse(api, ada, 'GET', `/alarmqueue/a.test/${ALARM}`);
    expect((body.alarm as WaitingAlarm).notes).toEqual([
      expect.objectContaining({ name: 'bo@a.test', text: 'Her son is on the way.' }),
    ]);
    expect((await act(bo, 'note', { text: ' ' })).status).toBe(400);
  });

  test('sends commands to the device, and unlocks with a confirmation alone', async () => {
    expect(codeOf(await act(ada, 'command', { turn: 1, command: 'speak' }))).toBe('takerLost');
    await act(ada, 'take', { by: 'none' });
    expect((await act(ada, 'command', { turn: 1, command: 'speak' })).status).toBe(200);
    expect(asked[0]).toMatchObject({
      operation: 'devicecommand',
      body: { replyId: 'reply-1', sessionId: ALARM, command: 'speak' },
    });
    const listener = { turn: 1, command: 'releaseDoorLock1' };
    expect(codeOf(await act(ada, 'command', listener))).toBe('confirmationMissing');
    expect(asked).toHaveLength(1);
    expect((await act(ada, 'command', { ...listener, confirmed: true })).status).toBe(200);
    hostSays = async () =>
      ok({
        status: 504,
        body: { success: false, reason: 'the device did not confirm', error: { code: 'deviceSilent' } },
      });
    const silent = await act(ada, 'command', { turn: 1, command: 'listen' });
    expect([silent.status, codeOf(silent)]).toEqual([503, 'deviceSilent']);
  });

  test('clears the device and closes the alarm', async () => {
    await act(ada, 'take', { by: 'none' });
    const cleared = await act(ada, 'clear', { turn: 1 });
    expect(alarmOf(cleared)).toMatchObject({ state: 'closed', closedBy: 'ada@a.test' });
    expect(asked[0]).toMatchObject({ operation: 'hangupalarmcall', body: { replyId: 'reply-1' } });
    expect((await browse(api, ada, 'GET', '/alarmqueue/a.test')).body.alarms).toEqual([]);
    expect(codeOf(await act(bo, 'take', { by: 'none' }))).toBe('alarmClosed');
    api.clock.now += 86_400_001;
    await queue.forget();
    expect(await readWaitingAlarm(api.database.store, tenant, ALARM)).toBeUndefined();
  });

  test('cannot close an alarm that its host has not cleared, but where the session is over there', async () => {
    await act(ada, 'take', { by: 'none' });
    hostSays = async () => fail('ownerUnreachable', 'The operation did not reach gw-1. Try again.');
    expect((await act(ada, 'clear', { turn: 1 })).status).toBe(503);
    await report({ call: 'ended', outcome: 'unanswered' });
    asked = [];
    expect(alarmOf(await act(ada, 'clear', { turn: 1 })).state).toBe('closed');
    expect(asked).toEqual([]);
  });

  test('may use a token of that person, which the host judges itself', async () => {
    const by = { by: 'softphone', deviceId: 'd' };
    const taken = await ask(api, 'POST', `/alarmqueue/a.test/${ALARM}/take`, { token, body: by });
    expect(taken.status).toBe(200);
    expect(asked[0]).toMatchObject({ authorization: `Bearer ${token}`, person: undefined });
  });

  test('stands in the audit log with each act, without the words of notes', async () => {
    await act(ada, 'take', { by: 'none' });
    await act(ada, 'note', { text: 'secret words' });
    await act(ada, 'release', { turn: 1 });
    await act(bo, 'take', { by: 'none' });
    api.clock.now += 15_000;
    await queue.sweep();
    const entries = await auditAfter(api.database.store, tenant, 0, 1_000);
    const own = entries.filter(({ entity }) => entity === 'waitingalarm');
    expect(own.map(({ action }) => action)).toEqual(['take', 'note', 'release', 'take', 'lose']);
    expect(JSON.stringify(own)).not.toContain('secret words');
  });
});

describe('the host of an alarm', () => {
  test('closes it when the session is dealt with, and leaves it when no person has answered', async () => {
    await report({ call: 'ended', outcome: 'unanswered', reason: 'its longest time is over' });
    const { body } = await browse(api, ada, 'GET', '/alarmqueue/a.test');
    expect(body.alarms).toEqual([expect.objectContaining({ state: 'waiting', call: 'ended' })]);
    await report({ call: 'ended', outcome: 'callCleared' });
    expect((await browse(api, ada, 'GET', '/alarmqueue/a.test')).body.alarms).toEqual([]);
  });
});

describe('a display on a wall', () => {
  const WALL = '/alarmqueue/a.test/wall';
  const DISPLAY = '/alarmqueue/a.test/display';

  test('shows how long alarms wait, and nothing of a person', async () => {
    const owner = await makePerson(api, 'a.test', 'olga@a.test', 'owner');
    const added = await browse(api, owner, 'POST', WALL, { body: { name: 'Duty room' } });
    expect(added.status).toBe(200);
    const seen = await ask(api, 'GET', DISPLAY, { token: String(added.body.token) });
    expect(seen.body).toEqual({
      success: true,
      now: api.clock.now,
      alarms: [{ state: 'waiting', since: api.clock.now }],
    });
    expect((await browse(api, owner, 'GET', WALL)).body.walls).toEqual([
      { id: added.body.id, name: 'Duty room', createdAt: api.clock.now },
    ]);
    const id = String(added.body.id);
    expect((await browse(api, owner, 'DELETE', `${WALL}/${id}`)).status).toBe(200);
    expect((await ask(api, 'GET', DISPLAY, { token: String(added.body.token) })).status).toBe(401);
    expect((await browse(api, owner, 'DELETE', `${WALL}/${id}`)).status).toBe(404);
  });

  test('opens nothing else, and no other token opens it', async () => {
    const added = await ask(api, 'POST', WALL, { token, body: { name: 'Duty room' } });
    const wall = String(added.body.token);
    expect((await ask(api, 'GET', '/alarmqueue/a.test', { token: wall })).status).toBe(401);
    expect((await ask(api, 'GET', '/alarmqueue/b.test/display', { token: wall })).status).toBe(401);
    for (const other of [token, OWNER_TOKEN, null])
      expect((await ask(api, 'GET', DISPLAY, { token: other })).status).toBe(401);
    expect((await browse(api, ada, 'POST', WALL, { body: { name: 'x' } })).status).toBe(403);
  });
});

describe('several control planes', () => {
  test('a console at one of them sees what is written at another, and no heartbeat', async () => {
    const { store } = api.database;
    const announced: (readonly [kind: string, id: string])[] = [];
    const stopGathering = store.onNotice((notices, isRemote) => {
      if (!isRemote) for (const { kind, id } of notices) announced.push([kind, id]);
    });
    const elsewhere = new QueueStream();
    const stop = followReplicas(store, queue, elsewhere);
    const opened = elsewhere.listen(tenant, () => undefined);
    if (!opened.ok) throw new Error(opened.error.reason);
    const { next, close } = opened.value;
    expect(await next()).toMatchObject({ event: 'reset' });

    await act(ada, 'take', { by: 'none' });
    expect(announced).toEqual([['waitingAlarm', `${tenant} ${ALARM}`]]);
    store.hear({ notices: announced.splice(0) });
    expect(await next()).toMatchObject({
      event: 'alarm',
      data: { alarmId: ALARM, state: 'taken' },
    });
    await act(ada, 'heartbeat', { turn: 1 });
    expect(announced).toEqual([]);
    close();
    stop();
    stopGathering();
  });
});
