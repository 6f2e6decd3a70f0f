import { expect, it } from 'vitest';
import { usageBetween } from '#cloud/store/index.ts';
import { eventOf, openMonitoringStage, TENANT } from './stage.ts';

const HOUR = 3_600_000;

it('counts of a host are added up, each event once, by the hour of its span', async () => {
  const stage = await openMonitoringStage();
  const host = await stage.addHost();
  const say = (...items: object[]) => stage.say(host, 'up/ev/usage', { v: 1, sid: host.sid, items });
  const usage = (seq: number, from: number, n: number) =>
    eventOf(seq, seq - 1, {
      type: 'usage',
      data: { from, to: from + 1, counts: [{ of: 'alarm', protocol: 'scaip', result: 'handled', n }] },
    });
  const [first, second] = [usage(1, HOUR, 2), usage(2, 2 * HOUR - 1, 3)];
  await say(first, second);
  await say(first, second, usage(3, 2 * HOUR, 5));
  await say(eventOf(4, 3, { type: 'usage', data: { odd: true } }));
  const alarms = { kind: 'alarm', protocol: 'scaip', result: 'handled' };
  for (const from of [HOUR, 2 * HOUR])
    expect(await usageBetween(stage.store, TENANT, from, from + HOUR)).toEqual([{ ...alarms, amount: 5 }]);
  // An event of unknown content is kept and acknowledged: it would only come again.
  expect(stage.sent.findLast(({ leaf }) => leaf === 'dn/ack')?.body.ack).toEqual({ usage: 4 });
  await stage.close();
});

it('usage while the clock of the host was wrong counts for the hour in which it really was', async () => {
  const stage = await openMonitoringStage();
  const host = await stage.addHost();
  const now = eventOf(1, 0).ts + stage.nowS() * 1_000;
  // In 1970, an hour of running time before the batch.
  const [ts, mono] = [2 * HOUR, 5_000_000];
  const counts = [{ of: 'recording', n: 1 }];
  const item = {
    ...eventOf(1, 0, { type: 'usage', data: { from: ts, to: ts + 1, counts } }),
    ts,
    mono,
    boot: 3,
  };
  const clk = { boot: 3, mono: mono + HOUR, from: 0, sync: false, pairs: [] };
  await stage.say(host, 'up/ev/usage', { v: 1, sid: host.sid, clk, items: [item] });
  const hour = now - HOUR - ((now - HOUR) % HOUR);
  expect(await usageBetween(stage.store, TENANT, 0, 100 * HOUR)).toEqual([]);
  expect(await usageBetween(stage.store, TENANT, hour, hour + HOUR)).toMatchObject([{ amount: 1 }]);
  await stage.close();
});
