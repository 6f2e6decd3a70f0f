import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A unit of BS 8521 that takes its alarm back (event 000), in a call of its own or in that of the alarm: it is delivered, acknowledged and
 * cleared like any other. In a new call it ends what waits or runs of the same unit (protocols, bs8521-events: "ends the open alarm of
 * the same unit").
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

const detected = (): string[] =>
  unit.audio.digits.splice(0).map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const states = () =>
  reported().map(({ body }) => (body.alarmEvent as { readonly statusCode: string }).statusCode);

describe('event 000', () => {
  it('in a call of its own is acknowledged before the call ends', async () => {
    const talk = await unit.invite('here', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(1_000);
    detected();
    unit.audio.press('A01001234567800010000000000#');
    await net.after(6_000, 100);
    // Then it is cleared, as whoever needs nothing more.
    expect(detected().slice(0, 3)).toEqual(['B 80', 'A 250', 'D 80']);
    unit.audio.press('B');
    await net.after(12_000);
    expect(states()).toEqual(['cleared']);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('in the call of the alarm, while the application thinks: both are acknowledged and reported, and the unit is cleared', async () => {
    site.answerBy(() => undefined);
    const talk = await unit.invite('here', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(1_000);
    detected();
    unit.audio.press('A01001234567800010100000000#');
    await net.after(5_500);
    expect(detected()).toEqual(['B 80']);
    unit.audio.press('A01001234567800010000000000#');
    await net.after(6_000, 100);
    expect(detected().slice(0, 3)).toEqual(['B 80', 'A 250', 'D 80']);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    const [alarm, cleared] = site.posted;
    alarm?.answer(answered({ action: 'callEmergencyCenter' }));
    cleared?.answer(answered({}));
    await net.after(1_000);
    unit.audio.press('B');
    await net.after(12_000);
    // Its late word joins no call, and nothing is delivered twice.
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });
});

const ALARM = 'A01001234567800010100000000#';
const TAKEN_BACK = 'A01001234567800010000000000#';
const TAKEN_BACK_BY_OTHER = 'A01001234567800020000000000#';

/** The unit, or whoever is at another line, calls and says this, at once or after the request. */
async function says(line: string, from = unit) {
  const talk = await from.invite('here', net.pump);
  from.acknowledge(talk, from.response(200));
  await net.after(1_000);
  from.audio.press(line);
  await net.after(5_500);
  return talk;
}

describe('event 000 in a new call, while the old one is still held here', () => {
  let arc: Telephone;

  beforeEach(async () => {
    site.notify('https://app.example/alarms');
    site.bridge({
      protocol: 'bs8521',
      name: 'Units',
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
    });
    site.answerBy(({ body }) => {
      const { statusCode } = (body.alarmEvent ?? {}) as { readonly statusCode?: string };
      return answered({ action: statusCode === 'cleared' ? 'drop' : 'callEmergencyCenter' });
    });
    arc = await net.device('arc', '192.0.2.31');
  });

  const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

  it('ends the alarm that people speak about: they are let go, the old call is ended', async () => {
    const old = await says(ALARM);
    await takesCall(arc, net);
    await net.after(1_000);
    const talk = await says(TAKEN_BACK);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    await net.after(14_000);
    expect(arc.has('BYE')).toBe(true);
    const ended = [unit.request('BYE'), unit.request('BYE')];
    expect(new Set(ended.map(({ callId }) => callId))).toEqual(new Set([old.callId, talk.callId]));
    for (const bye of ended) unit.respond(bye, 200);
    await net.after(20_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
    expect(errors()).toEqual([]);
  });

  it('ends the alarm that the application thinks about: no one is called for it', async () => {
    site.answerBy(() => undefined);
    await says(ALARM);
    await says(TAKEN_BACK);
    const [alarm, cleared] = reported();
    alarm?.answer(answered({ action: 'callEmergencyCenter' }));
    cleared?.answer(answered({ action: 'drop' }));
    await net.after(30_000);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(arc.has('INVITE')).toBe(false);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
    expect(errors()).toEqual([]);
  });

  it('ends the alarm whose call was cut before the application had answered: no call of it is missed', async () => {
    site.answerBy(() => undefined);
    const old = await says(ALARM);
    unit.inDialog(old, 'BYE');
    await net.after(1_000);
    reported()[0]?.answer(answered({ action: 'callEmergencyCenter' }));
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ alarms: 1 });
    await says(TAKEN_BACK);
    reported()[1]?.answer(answered({ action: 'drop' }));
    await net.after(90_000);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(errors()).toEqual([]);
  });

  it('ends nothing of this one when it is of another unit', async () => {
    await says(ALARM);
    await takesCall(arc, net);
    await net.after(1_000);
    await says(TAKEN_BACK_BY_OTHER);
    await net.after(14_000);
    expect(arc.has('BYE')).toBe(false);
    expect(site.runtime.load).toMatchObject({ alarms: 1 });
  });

  it('from another line ends nothing of this one: two units may have one identity', async () => {
    const twin = await net.device('twin', '192.0.2.32');
    await says(ALARM);
    await takesCall(arc, net);
    await net.after(1_000);
    await says(TAKEN_BACK, twin);
    await net.after(14_000);
    expect(states()).toEqual(['alarmManual', 'cleared']);
    expect(arc.has('BYE')).toBe(false);
    expect(site.runtime.load).toMatchObject({ alarms: 1 });
  });
});
