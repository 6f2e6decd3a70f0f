import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenJournal } from '#appliance/io/sqlite/index.ts';
import { OperationTable } from '#appliance/site/remote/index.ts';
import {
  birthSchema,
  deviceHeartbeatDataSchema,
  eventBatchSchema,
  remoteResponseSchema,
  standingAlarmDataSchema,
} from '#shared/contract/feed/index.ts';
import { SiteLine } from './site-line.ts';
import { type SiteWorld, until } from './site-world.ts';

let line: SiteLine;
let world: SiteWorld;
let journal: OpenJournal;

beforeEach(async () => {
  line = await SiteLine.open();
  world = line.world;
  journal = line.journal;
});
afterEach(() => line.end());

describe('events', () => {
  it('go up by lane in order, stay until the cloud has them, and come again when it is silent', async () => {
    const rows = await line.store('alarm', 3);
    await line.online();
    await until(() => line.of('up/ev/alarm').length === 1, 'batch');
    const [first] = line.of('up/ev/alarm').map((payload) => eventBatchSchema.parse(payload));
    expect(first?.items.map(({ seq, prev }) => [seq, prev])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(first?.items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    await world.advance(9_000);
    expect(line.of('up/ev/alarm')).toHaveLength(1);
    await world.advance(2_000);
    await until(() => line.of('up/ev/alarm').length === 2, 'resent');
    expect(line.of('up/ev/alarm')[1]?.items).toEqual(line.of('up/ev/alarm')[0]?.items);
    await world.advance(15_000);
    expect(line.of('up/ev/alarm')).toHaveLength(2);
    await world.advance(6_000);
    await until(() => line.of('up/ev/alarm').length === 3, 'resent after 20 s');

    await line.say(line.down('dn/ack'), { v: 1, ack: { alarm: 3 } });
    await until(
      () => journal.pending('cloud', 'alarm', 0, 10).every(({ state }) => state === 'done'),
      'done',
    );
    await world.advance(120_000);
    expect(line.of('up/ev/alarm')).toHaveLength(3);
  });

  it('carry the clock of the host, by which the cloud works out when they happened', async () => {
    await line.store('alarm', 1);
    const pairs = [
      { boot: 1, from: 5, mono: 900, ts: world.wallMs },
      { boot: 6, from: 5, mono: 900, ts: 7 },
    ];
    await line.online({ records: () => ({ from: 400, sync: true, pairs }) });
    await until(() => line.of('up/ev/alarm').length === 1, 'batch');
    const sent = eventBatchSchema.parse(line.of('up/ev/alarm')[0]);
    // Only the boots that stand in the items.
    expect(sent.clk).toEqual({
      boot: journal.boot,
      mono: sent.clk?.mono,
      from: 400,
      sync: true,
      pairs: pairs.slice(0, 1),
    });
    expect(sent.clk?.mono).toBeGreaterThanOrEqual(sent.items[0]?.mono ?? Number.POSITIVE_INFINITY);
  });

  it('send at most 100 in one batch and one batch at a time', async () => {
    await line.store('svc', 150);
    await line.online();
    await until(() => line.of('up/ev/svc').length === 1, 'batch');
    await world.advance(5_000);
    expect(line.of('up/ev/svc')).toHaveLength(1);
    expect(line.of('up/ev/svc')[0]?.items).toHaveLength(100);
    await line.say(line.down('dn/ack'), { v: 1, ack: { svc: 100 } });
    await until(() => line.of('up/ev/svc').length === 2, 'second batch');
    const second = eventBatchSchema.parse(line.of('up/ev/svc')[1]);
    expect([second.items.length, second.items[0]?.prev]).toEqual([50, 100]);
  });

  it('are found when they are written later, and say what they are', async () => {
    await line.online();
    const monitoring = line.row('alarm', 'monitoringAlarm', {
      error: 'lowMemory',
      errorDetails: { service: 'sip', value: 5, severity: 'critical' },
    });
    const device = line.row('alarm', 'deviceHeartbeat', { deviceId: 'd1', status: 'offline', expiration: 1 });
    await line.keep([monitoring, device]);
    await world.advance(1_100);
    await until(() => line.of('up/ev/alarm').length === 1, 'batch');
    const { items } = eventBatchSchema.parse(line.of('up/ev/alarm')[0]);
    expect(items.map(({ type, svc }) => [type, svc])).toEqual([
      ['monitoringAlarm', 'sip'],
      ['deviceHeartbeat', undefined],
    ]);
    expect(standingAlarmDataSchema.parse(items[0]?.data)).toMatchObject({
      error: 'lowMemory',
      errorDetails: { status: 'raised', severity: 'critical', service: 'sip', value: 5 },
    });
    expect(deviceHeartbeatDataSchema.parse(items[1]?.data)).toMatchObject({
      deviceId: 'd1',
      status: 'offline',
    });
  });

  it('go back when a restored cloud has less, also over a restart of the host', async () => {
    await line.store('alarm', 5);
    await line.online();
    await until(() => line.of('up/ev/alarm').length === 1, 'batch');
    await line.say(line.down('dn/ack'), { v: 1, ack: { alarm: 5 } });
    await until(
      () => journal.pending('cloud', 'alarm', 0, 10).every(({ state }) => state === 'done'),
      'done',
    );
    await world.stop();
    line.received.length = 0;
    world.logged.length = 0;
    await line.online();
    expect(birthSchema.parse(line.births()[0]?.payload).ev.alarm).toEqual([5, 5]);
    await line.say(line.down('dn/ack'), { v: 1, ack: { alarm: 2 } });
    await until(() => line.of('up/ev/alarm').length === 1, 'again');
    const { items } = eventBatchSchema.parse(line.of('up/ev/alarm')[0]);
    expect(items.map(({ seq, prev, gap }) => [seq, prev, gap])).toEqual([
      [3, 2, undefined],
      [4, 3, undefined],
      [5, 4, undefined],
    ]);
  });
});

describe('an acknowledgement from before', () => {
  it('skips no row of a journal that starts again', async () => {
    await line.online();
    await line.say(line.down('dn/ack'), { v: 1, ack: { alarm: 500 } });
    await line.store('alarm', 2);
    await world.advance(1_100);
    await until(() => line.of('up/ev/alarm').length === 1, 'batch');
    const { items } = eventBatchSchema.parse(line.of('up/ev/alarm')[0]);
    expect(items.map(({ seq, prev }) => [seq, prev])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});
describe('requests', () => {
  it.each([
    ['ping', {}, { ok: true }],
    ['probe', {}, { ok: false, error: { code: 'noPeer' } }],
    ['cfg.resync', { args: { scope: 'tenant' } }, { ok: true, data: { scopes: ['tenant'] } }],
    ['cfg.resync', { args: { scope: 'moon' } }, { ok: false, error: { code: 'invalid' } }],
    ['shell', {}, { ok: false, error: { code: 'unknownOperation' } }],
    ['toString', {}, { ok: false, error: { code: 'unknownOperation' } }],
    ['valueOf', {}, { ok: false, error: { code: 'unknownOperation' } }],
    ['ping', { exp: 1 }, { ok: false, error: { code: 'expired' } }],
    ['ping', { v: 2 }, { ok: false, error: { code: 'invalid' } }],
  ])('%s %j is answered', async (op, more, answer) => {
    await line.online();
    await line.say(line.down('dn/req'), line.request(op, more));
    await until(() => line.of('up/res').length === 1, 'answer');
    expect(remoteResponseSchema.parse(line.of('up/res')[0])).toMatchObject({
      part: 1,
      last: true,
      ...answer,
    });
  });

  it('writes one line for a log that is followed, not one for each look', async () => {
    const remote = new OperationTable();
    remote.add({ 'logs.tail': () => ({ ok: true, value: { lines: [] } }) });
    await line.online({ remote });
    const lines = () => world.logged.filter((each) => each.includes('logs.tail')).length;
    for (const [look, by] of ['user:a', 'user:a', 'user:b', 'user:a'].entries()) {
      await line.say(
        line.down('dn/req'),
        line.request('logs.tail', { id: `01jc7z5t3k9q8w6m4n2p0r1s5${look + 1}`, by }),
      );
      await until(() => line.of('up/res').length === look + 1, 'answer');
      await world.advance(2_000);
    }
    expect(lines()).toBe(2);
    await world.advance(31_000);
    await line.say(
      line.down('dn/req'),
      line.request('logs.tail', { id: '01jc7z5t3k9q8w6m4n2p0r1s59', by: 'user:a' }),
    );
    await until(() => line.of('up/res').length === 5, 'answer');
    expect(lines()).toBe(3);
  });

  it('says a long answer in parts that a broker takes, each time the same', async () => {
    const letters = Array.from({ length: 100 }, (_, n) => ({
      n,
      dest: `https://arc.example/${'x'.repeat(1_500)}`,
    }));
    const remote = new OperationTable();
    remote.add({ 'outbox.list': () => ({ ok: true, value: { letters } }) });
    await line.online({ remote });
    for (const times of [1, 2]) {
      await line.say(line.down('dn/req'), line.request('outbox.list'));
      await until(() => line.of('up/res').filter(({ last }) => last === true).length === times, 'answer');
      const parts = line.of('up/res').slice(-3);
      for (const part of parts) expect(JSON.stringify(part).length).toBeLessThanOrEqual(65_536);
      expect(parts.map(({ part, last }) => [part, last])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ]);
      expect(parts.flatMap(({ data }) => (data as { letters: unknown[] }).letters)).toEqual(letters);
    }
  });

  it('repeats the first answer for the same id', async () => {
    await line.online();
    await line.say(line.down('dn/req'), line.request('ping'));
    await until(() => line.of('up/res').length === 1, 'answer');
    await world.advance(60_000);
    await line.say(line.down('dn/req'), line.request('shell'));
    await until(() => line.of('up/res').length === 2, 'repetition');
    expect(line.of('up/res')[1]).toEqual(line.of('up/res')[0]);
    await world.advance(600_000);
    await line.say(line.down('dn/req'), line.request('ping'));
    await until(() => line.of('up/res').length === 3, 'a new answer');
    expect(line.of('up/res')[2]).not.toEqual(line.of('up/res')[0]);
  });
});
