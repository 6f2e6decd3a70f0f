import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteEvents } from '#cloud/store/index.ts';
import { topicOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import {
  eventOf,
  heartbeatOf,
  type MonitoringStage,
  openMonitoringStage,
  type Puppet,
} from '#test/cloud/monitoring/stage.ts';

/* Inputs of public reports about fleets behind brokers, at the supervision of the control plane; README.md names each. */

const newId = () => ulid(1_770_000_000_000, randomBytes(10));

let stage: MonitoringStage;
let host: Puppet;
/** No host is judged within 3 T + 60 s after a cold start. */
const COLD_S = 151;

beforeEach(async () => {
  stage = await openMonitoringStage();
  host = await stage.addHost();
  await stage.birth(host);
  await stage.beating([host], COLD_S);
});
afterEach(() => stage.close());

const connectivity = () => stage.monitoring.connectivity(host.place.uid);
const off = (sid: string) => stage.say(host, 'up/state', { v: 1, st: 'off', sid });
const errors = async () => (await stage.alarms()).map(({ error, status }) => `${error} ${status}`);
const raw = async (bytes: Buffer, leaf: 'up/state' | 'up/hb' = 'up/state') => {
  stage.monitoring.message(topicOf(host.place, leaf), bytes);
  await stage.monitoring.idle();
};

describe('a connection that is taken over', () => {
  it('speaks its will behind the birth of the next one: the host stays online', async () => {
    const before = host.sid;
    host.sid = newId();
    await stage.birth(host, { birthNo: 2 });
    await off(before);
    await stage.beating([host], 120);
    expect(connectivity()).toBe('online');
    expect(await errors()).toEqual([]);
  });

  it('has its birth delivered again behind the next one, and then its will: no alarm', async () => {
    const before = { ...host };
    host.sid = newId();
    host.answers = true;
    await stage.birth(host, { birthNo: 2 });
    await stage.birth(before);
    await off(before.sid);
    await stage.beating([host], 120);
    expect(connectivity()).toBe('online');
    expect(await errors()).toEqual([]);
  });

  it('is one alarm about the identity for two machines with one client id that end each other', async () => {
    const inst = [newId(), newId()];
    for (let turn = 0; turn < 8; turn++) {
      const before = host.sid;
      host.sid = newId();
      await stage.birth(host, { birthNo: turn + 2, inst: inst[turn % 2] });
      await off(before);
      await stage.pass(2);
    }
    expect(await errors()).toEqual(['duplicateIdentity active']);
  });
});

describe('the state that a broker keeps', () => {
  it('is off after the broker was started again: the birth behind it is believed', async () => {
    await off(host.sid);
    host.sid = newId();
    await stage.birth(host, { birthNo: 2 });
    await stage.beating([host], 120);
    expect(connectivity()).toBe('online');
    expect((await errors()).filter((each) => each.endsWith('active'))).toEqual([]);
  });

  it('is delivered again and again for a host that died with its broker: it is no sign of life', async () => {
    await stage.pass(300, async (second) => {
      if (second % 60 === 0) await stage.birth(host);
    });
    expect(connectivity()).toBe('offline');
    expect(await errors()).toEqual(['noHeartbeatReply active']);
  });

  it('does not end the alarm of a host that is away already', async () => {
    await stage.pass(300);
    expect(await errors()).toEqual(['noHeartbeatReply active']);
    for (let time = 0; time < 3; time++) {
      await stage.birth(host);
      await stage.pass(60);
    }
    expect(connectivity()).toBe('offline');
    expect(await errors()).toEqual(['noHeartbeatReply active']);
    expect(stage.reported).toHaveLength(1);
  });

  it('is taken away by an empty message: nothing changes', async () => {
    await raw(Buffer.alloc(0));
    await stage.beating([host], 60);
    expect(connectivity()).toBe('online');
    expect(stage.logged.filter((line) => line.includes('host_message.dropped'))).toEqual([]);
  });
});

describe('a birth', () => {
  it('that a live host repeats when it is asked to is a sign of life', async () => {
    await stage.pass(60);
    await stage.birth(host, { birthNo: 2 });
    await stage.pass(100);
    expect(await errors()).toEqual([]);
  });
});

describe('a will', () => {
  it('that comes twice is one loss', async () => {
    await off(host.sid);
    await off(host.sid);
    expect(stage.monitoring.observed(host.place.uid)?.contact.losses).toBe(1);
  });

  it('that the broker speaks minutes late, or never, is not waited for', async () => {
    await stage.pass(110);
    expect(await errors()).toEqual(['noHeartbeatReply active']);
    await off(host.sid);
    await stage.pass(120);
    expect(await errors()).toEqual(['noHeartbeatReply active']);
    expect(stage.reported).toHaveLength(1);
  });
});

describe('messages of QoS 1', () => {
  const batch = (items: object[]) => ({ v: 1, sid: host.sid, items });
  const seqs = async () =>
    (await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).map(({ seq }) => seq);

  it('that are delivered again after a connection are stored once', async () => {
    const items = [eventOf(1, 0), eventOf(2, 1)];
    for (let time = 0; time < 3; time++) {
      await stage.say(host, 'up/ev/alarm', batch(items));
      await stage.birth(host, { birthNo: time + 2 });
    }
    expect(await seqs()).toEqual([1, 2]);
  });

  it('that overtake each other in the queue of a broker are stored in order, without a gap', async () => {
    const [first, second] = [eventOf(1, 0), eventOf(2, 1)];
    await stage.say(host, 'up/ev/alarm', batch([first]));
    await stage.say(host, 'up/ev/alarm', batch([eventOf(3, 2)]));
    await stage.say(host, 'up/ev/alarm', batch([second]));
    await stage.say(host, 'up/ev/alarm', batch([second, eventOf(3, 2)]));
    expect(await seqs()).toEqual([1, 2, 3]);
  });
});

describe('a clock', () => {
  it.each([
    ['1970', 0],
    ['three months ahead', 1_770_000_000_000 + 92 * 86_400_000],
    ['2038', 2_147_483_648_000],
  ])('changes nothing about the contact of its host when it stands at %s', async (_, ts) => {
    await stage.pass(120, async (second) => {
      if (second % 30 === 0) await stage.say(host, 'up/hb', heartbeatOf(host, { ts }));
    });
    expect(connectivity()).toBe('online');
    expect((await errors()).filter((each) => each.startsWith('noHeartbeatReply'))).toEqual([]);
  });
});

it.each<[string, Buffer]>([
  ['no JSON', Buffer.from('online')],
  ['no UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
  ['JSON of another shape', Buffer.from('{"state":"online"}')],
  ['a name of the prototype', Buffer.from('{"__proto__":{"st":"on"},"v":1}')],
  ['200 kB', Buffer.from(JSON.stringify({ v: 1, st: 'on', sid: 'x'.repeat(200_000) }))],
])('a state of %s is dropped with a line in the log, and the host stays as it was', async (_, bytes) => {
  await raw(bytes);
  await stage.beating([host], 60);
  expect(connectivity()).toBe('online');
  expect(stage.logged.filter((line) => line.includes('host_message.dropped'))).toHaveLength(1);
});
