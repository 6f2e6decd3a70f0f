import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type NowIpUnit, nowIpUnit } from '#test/support/nowip-unit.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A NOW-IP device that calls again with the same alarm while the appliance still holds its old call: its line was cut, it has called
 * again, and no BYE has come. In the new call it is spoken with at once (protocols 2.2, 7 and 14).
 */

type Site = Awaited<ReturnType<typeof testAppliance>>;

let site: Site;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let device: NowIpUnit;
let arc: Telephone;

/** Everything around a site; `unit` comes in by a trunk, in whichever order it says its alarm and calls. */
async function around(made: Site): Promise<void> {
  site = made;
  net = telephones(site);
  net.trunk();
  unit = net.stranger('unit', '198.51.100.30');
  device = nowIpUnit(unit, net);
  arc = await net.device('arc', '192.0.2.31');
  site.notify('https://app.example/alarms');
  site.bridge({
    protocol: 'nowipcontroller',
    name: 'Units',
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  answersBy('callEmergencyCenter');
}

const answersBy = (action: string): void => site.answerBy(() => answered({ action }));

beforeEach(async () => around(await testAppliance()));

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

/** C 1, controller 12345678, event 010. */
const OF_SCHEME = '110012345678000101000000';
const OTHER_UNIT = '110012345678000201000000';
/** C 0: it stands alone. */
const ALONE = '010012345678000101000000';
const SELECT = '2 00001';

const says = (type: string, data: string) => device.says(type, data);
const calls = () => device.calls();
const received = () => device.received();

/** The two of an alarm, in this order; what was said before is not looked at. */
async function raises(first: 'message' | 'call', data = OF_SCHEME): Promise<Talk> {
  received();
  if (first === 'message') await says('1', data);
  const talk = await calls();
  if (first === 'call') await says('1', data);
  await net.after(500);
  return talk;
}

/** People are called and answer; whoever has left is let go. */
async function joined(): Promise<void> {
  await net.after(500);
  while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.pump();
  arc.request('ACK');
}

const selected = () => says('7', '000101000000');
const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
/** Calls that we have ended since, by Call-ID. */
function ended(): string[] {
  const ids: string[] = [];
  while (unit.has('BYE')) {
    const bye = unit.request('BYE');
    unit.respond(bye, 200);
    ids.push(bye.callId);
  }
  return ids;
}

/** The device hangs up, and no party is left on a line. */
async function over(talk: Talk): Promise<void> {
  unit.inDialog(talk, 'BYE');
  for (let waited = 0; waited < 70_000; waited += 1_000) {
    await net.after(1_000);
    received();
    ended();
    while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  }
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0, legs: 0 });
}

const ORDERS = ['message', 'call'] as const;

describe.each(ORDERS)('an alarm that is said again in a new call, its %s first', (first) => {
  it.each(ORDERS)(
    'after its old one with its %s first: is selected there at once and spoken with',
    async (before) => {
      const old = await raises(before);
      expect(received()).toContain(SELECT);
      await selected();
      await joined();
      const talk = await raises(first);
      expect(received()).toEqual(expect.arrayContaining(['A', SELECT]));
      expect(ended()).toEqual([old.callId]);
      expect(reported()).toHaveLength(2);
      await selected();
      await joined();
      await over(talk);
    },
  );

  it('before anybody was asked to speak with it: goes on in the new call, and is one alarm', async () => {
    site.answerBy(() => undefined);
    const old = await raises('message');
    expect(received()).toContain(SELECT);
    const talk = await raises(first);
    expect(received()).toEqual(expect.arrayContaining(['A', SELECT]));
    expect(ended()).toEqual([old.callId]);
    expect(reported()).toHaveLength(1);
    await selected();
    reported()[0]?.answer(answered({ action: 'callEmergencyCenter' }));
    await joined();
    await over(talk);
    expect(reported()).toHaveLength(1);
  });

  it('while its old call is being cleared: is selected there at once', async () => {
    answersBy('drop');
    const old = await raises('message');
    expect(received()).toContain(SELECT);
    const talk = await raises(first);
    expect(received()).toContain(SELECT);
    expect(ended()).toEqual([old.callId]);
    expect(reported()).toHaveLength(2);
    await over(talk);
  });

  it('a minute after it was dealt with without one: is a new alarm, and is selected at once', async () => {
    answersBy('drop');
    await says('1', OF_SCHEME);
    await net.after(60_000);
    answersBy('callEmergencyCenter');
    const talk = await raises(first);
    expect(received()).toContain(SELECT);
    expect(reported()).toHaveLength(2);
    await selected();
    await joined();
    await over(talk);
  });

  it('after a restart, its old alarm being over: is selected and spoken with', async () => {
    answersBy('drop');
    await says('1', OF_SCHEME);
    await net.after(10_000);
    const { folder } = site;
    await site.close(true);
    await around(await testAppliance({ folder }));
    site.runtime.restore();
    await site.quiet();
    const talk = await raises(first);
    expect(received()).toContain(SELECT);
    await selected();
    await joined();
    expect(reported()).toHaveLength(1);
    await over(talk);
  });

  it('from a unit that stands alone: is spoken with there, and its old call is ended', async () => {
    const old = await raises('message', ALONE);
    await joined();
    const talk = await raises(first, ALONE);
    expect(ended()).toEqual([old.callId]);
    await joined();
    expect(reported()).toHaveLength(2);
    await over(talk);
  });
});

it.each(ORDERS)(
  'another unit of its scheme in a new call, its %s first: the old call is left',
  async (first) => {
    const old = await raises('message');
    await selected();
    await joined();
    const talk = await raises(first, OTHER_UNIT);
    expect(received()).toEqual(['A', '2 00002']);
    expect(ended()).toEqual([old.callId]);
    await over(talk);
  },
);

it('two units that stand alone behind one number keep a call each', async () => {
  const one = await raises('message', ALONE);
  await joined();
  const two = await raises('message', ALONE.replace('0001', '0002'));
  await joined();
  expect(ended()).toEqual([]);
  expect(site.runtime.load).toMatchObject({ alarms: 2 });
  unit.inDialog(one, 'BYE');
  await over(two);
});

it.each(ORDERS)(
  'an alarm that is repeated in its own call, whose %s came first, is acknowledged and no other',
  async (first) => {
    const talk = await raises(first);
    expect(received()).toEqual(['A', SELECT]);
    await says('1', OF_SCHEME);
    expect(received()).toEqual(['A']);
    expect(reported()).toHaveLength(1);
    await selected();
    await joined();
    await over(talk);
  },
);
