import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type NowIpUnit, nowIpUnit } from '#test/support/nowip-unit.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A unit of NOW-IP that takes its alarm back (event 000) before it has called: it is reported, and no session waits for its call any more
 * (protocols, bs8521-events: "ends the open alarm of the same unit").
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let device: NowIpUnit;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  net.trunk();
  unit = net.stranger('unit', '198.51.100.30');
  device = nowIpUnit(unit, net);
  site.notify('https://app.example/alarms');
  site.bridge({
    protocol: 'nowipcontroller',
    name: 'Units',
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  site.answerBy(({ body }) => {
    const { statusCode } = (body.alarmEvent ?? {}) as { readonly statusCode?: string };
    return answered({ action: statusCode === 'cleared' ? 'drop' : 'callEmergencyCenter' });
  });
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

/** C 1, controller 12345678, units 0001 and 0002. */
const ALARM = '110012345678000101000000';
const TAKEN_BACK = '110012345678000100000000';
const TAKEN_BACK_BY_OTHER = '110012345678000200000000';

async function says(data: string): Promise<void> {
  await device.says('1', data);
  await net.after(2_000);
  device.received();
}

const states = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => (body.alarmEvent as { readonly statusCode: string }).statusCode);
const missed = () => site.posted.filter(({ body }) => body.error === 'voiceCallMissing').length;

describe('an alarm whose unit takes it back before it calls', () => {
  it('is reported and over, and its call is not missed', async () => {
    await says(ALARM);
    expect(site.runtime.load).toMatchObject({ alarms: 1 });
    await says(TAKEN_BACK);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(site.runtime.load).toMatchObject({ alarms: 0 });
    await net.after(70_000);
    expect(missed()).toBe(0);
  });

  it('is not over because another unit takes back its own', async () => {
    await says(ALARM);
    await says(TAKEN_BACK_BY_OTHER);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(site.runtime.load).toMatchObject({ alarms: 1 });
    await net.after(70_000);
    expect(missed()).toBe(1);
  });
});

describe('a unit that stands alone takes its alarm back in a new call, while its old one is still held here', () => {
  const ALONE = '010012345678000101000000';
  const ALONE_BACK = '010012345678000100000000';
  const OTHER_BACK = '010012345678000200000000';

  async function spokenWith(): Promise<Talk> {
    const talk = await device.calls();
    await says(ALONE);
    await takesCall(arc, net);
    await net.after(1_000);
    return talk;
  }

  let arc: Telephone;
  beforeEach(async () => {
    arc = await net.device('arc', '192.0.2.31');
  });

  it.each(['message', 'call'])('its %s first: people are let go, the old call is ended', async (first) => {
    const old = await spokenWith();
    if (first === 'message') await says(ALONE_BACK);
    await device.calls();
    if (first === 'call') await says(ALONE_BACK);
    await net.after(1_000);
    expect(unit.request('BYE').callId).toBe(old.callId);
    expect(arc.has('BYE')).toBe(true);
    expect(states()).toEqual(['alarmManual', 'cleared']);
  });

  it('speaks on with people when another unit behind its number did so', async () => {
    const old = await spokenWith();
    await device.calls();
    await says(OTHER_BACK);
    await net.after(1_000);
    const ended = unit.has('BYE') ? unit.request('BYE').callId : undefined;
    expect(ended).not.toBe(old.callId);
    expect(arc.has('BYE')).toBe(false);
  });
});
