import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A unit of BS 8521 that takes its alarm back (event 000), in a call of its own or in that of the alarm: it is told, acknowledged and
 * cleared like any other.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({ protocol: 'bs8521', name: 'Units', destinationMatch: '^here$' });
  unit = await net.device('unit', '192.0.2.30');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const heard = (): string[] =>
  unit.audio.digits.splice(0).map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
const states = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => (body.alarmEvent as { readonly statusCode: string }).statusCode);

describe('event 000', () => {
  it('in a call of its own is acknowledged before the call ends', async () => {
    const talk = await unit.invite('here', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(1_000);
    heard();
    unit.audio.press('A01001234567800010000000000#');
    await net.after(6_000, 100);
    // Then it is cleared, as whoever needs nothing more.
    expect(heard().slice(0, 3)).toEqual(['B 80', 'A 250', 'D 80']);
    unit.audio.press('B');
    await net.after(12_000);
    expect(states()).toEqual(['cleared']);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('in the call of the alarm, while the application thinks: both are acknowledged and told, and the unit is cleared', async () => {
    site.answerBy(() => undefined);
    const talk = await unit.invite('here', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(1_000);
    heard();
    unit.audio.press('A01001234567800010100000000#');
    await net.after(5_500);
    expect(heard()).toEqual(['B 80']);
    unit.audio.press('A01001234567800010000000000#');
    await net.after(6_000, 100);
    expect(heard().slice(0, 3)).toEqual(['B 80', 'A 250', 'D 80']);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    const [alarm, cleared] = site.posted;
    alarm?.answer(answered({ action: 'callEmergencyCenter' }));
    cleared?.answer(answered({}));
    await net.after(1_000);
    unit.audio.press('B');
    await net.after(12_000);
    // Its late word joins nobody, and nothing is told twice.
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });
});
