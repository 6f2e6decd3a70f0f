import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { entry, listOf, presses, raisesAlarm, rings, sendsScaip, takes } from './people.ts';

/* A list that is called, and acts of people, clocks and applications. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
  bo = await net.device('bo', '192.0.2.42');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const session = () => String(reported()[0]?.body.sessionId);
const steps = (): string[] =>
  site.posted
    .filter(({ call }) => call.path === '/emergencyProgress')
    .map(({ body }) =>
      [body.step, String(body.destination ?? '').replace(/^sip:|@.*$/g, '')].join(' ').trim(),
    );
const trace = () => site.trace(String(reported()[0]?.body.traceId));
const outcome = () => trace().find(({ kind }) => kind === 'sessionEnded')?.detail.outcome;

describe('people who press keys', () => {
  it('accept nothing by a wrong key, and accept by the right one behind it', async () => {
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna', 'bo') });
    await rings(net, anna);
    await takes(net, anna, '5#*0');
    expect(steps()).not.toContain('accepted anna');
    expect(steps()).not.toContain('refused anna');
    expect(anna.has('BYE')).toBe(false);
    await presses(net, anna, '1');
    expect(steps()).toContain('accepted anna');
  });

  it('accept at the same moment: the disk has one of them, and the other hears that the alarm is taken', async () => {
    const together = { steps: [{ entries: [entry('anna'), entry('bo')] }] };
    await raisesAlarm(site, net, 'bs8521', { emergencyCallList: together });
    await rings(net, anna);
    for (const phone of [anna, bo]) await takesCall(phone, net);
    await net.after(1_500);
    const goesOn = site.slowDisk();
    for (const phone of [anna, bo]) phone.audio.press('1', { onMs: 100, offMs: 100 });
    await net.after(1_000);
    expect(steps().filter((step) => step.startsWith('accepted'))).toEqual([]);
    await goesOn();
    await net.after(3_000);
    const [first, ...others] = steps().filter((step) => step.startsWith('accepted'));
    expect([first, others]).toEqual([expect.stringMatching(/^accepted (anna|bo)$/), []]);
    const other = first === 'accepted anna' ? bo : anna;
    expect(steps()).toContain(`taken ${other.user}`);
    expect([anna.has('BYE'), bo.has('BYE')]).toEqual([other === anna, other === bo]);
  });
});

describe('a clock that is set', () => {
  it.each([
    // A registration of an hour outlives it.
    ['a day ahead', 86_400_000],
    ['a day back', -86_400_000],
  ])(
    '%s changes no time of a list: ring time, pause, and the time to clear behind a hang-up',
    async (_, byMs) => {
      const list = { ...listOf('anna', 'bo'), pause: 20_000 };
      await raisesAlarm(site, net, 'scaip', { emergencyCallList: list, arcDisconnectClearsCall: false });
      await rings(net, anna);
      site.setWallBy(byMs);
      await net.after(23_000);
      expect(bo.has('INVITE')).toBe(false);
      expect(await rings(net, bo, 3_000)).toBe(true);
      bo.respond(bo.request('INVITE'), 486);
      anna.inbox.splice(0);
      site.setWallBy(-byMs);
      await net.after(18_000);
      expect(anna.has('INVITE')).toBe(false);
      expect(await rings(net, anna, 3_000)).toBe(true);
      const invite = await takes(net, anna, '1');
      anna.inDialog(anna.answeredTalk(invite), 'BYE');
      site.setWallBy(byMs);
      await net.after(9_000);
      expect(anna.has('INVITE')).toBe(false);
      expect(await rings(net, anna, 2_000)).toBe(true);
      expect(outcome()).toBeUndefined();
    },
  );
});

describe('a list of a hundred', () => {
  it('rings twenty at once, step by step, until the hundredth has accepted', async () => {
    const steps20 = Array.from({ length: 5 }, (_, step) => ({
      entries: Array.from({ length: 20 }, (_each, place) =>
        entry(step === 4 && place === 19 ? 'bo' : 'anna'),
      ),
    }));
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: { steps: steps20 } });
    let calls = 0;
    for (let waited = 0; waited < 20_000 && !bo.has('INVITE'); waited += 500) {
      await net.after(500);
      expect(site.runtime.people.legs).toBeLessThanOrEqual(20);
      while (anna.has('INVITE')) {
        calls++;
        anna.respond(anna.request('INVITE'), 486, { tag: `anna-${calls}` });
      }
    }
    expect(calls).toBeGreaterThanOrEqual(80);
    await takes(net, bo, '1');
    expect(steps()).toContain('accepted bo');
    expect(steps().filter((step) => step === 'ringing anna')).toHaveLength(99);
  });
});

describe('an application', () => {
  const clears = (command: 'clearDown'): void => void site.runtime.commands.command(session(), { command });

  it('clears within 10 s behind the hang-up of the person who had accepted, and the list calls no more', async () => {
    const list = { emergencyCallList: listOf('anna', 'bo'), arcDisconnectClearsCall: false };
    const { unit } = await raisesAlarm(site, net, 'scaip', list);
    await rings(net, anna);
    const invite = await takes(net, anna, '1');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.after(5_000);
    clears('clearDown');
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) await net.after(500);
    expect(outcome()).toBe('callCleared');
    await net.after(60_000);
    expect([anna.has('INVITE'), bo.has('INVITE')]).toEqual([false, false]);
  });

  it('ends an alarm without a call while people ring: they ring no more', async () => {
    site.bridge({
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: listOf('anna', 'bo'),
    });
    const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
    sendsScaip(unit, '<crd>no-voice:</crd>');
    await net.pump();
    await rings(net, anna);
    anna.respond(anna.request('INVITE'), 180);
    clears('clearDown');
    await net.after(1_000);
    expect(anna.has('CANCEL')).toBe(true);
    expect(outcome()).toBe('handled');
    expect(steps()).toContain('stopped');
    await net.after(60_000);
    expect(bo.has('INVITE')).toBe(false);
  });
});

it.each([
  ['scaip', /^8{2}$/],
  ['bs8521', /(A#){2}$/],
])('a device of %s is kept alive while its people are called, in speak', async (protocol, words) => {
  const { unit } = await raisesAlarm(site, net, protocol, { emergencyCallList: listOf('anna', 'bo') });
  await rings(net, anna);
  unit.audio.digits.splice(0);
  let received = '';
  for (let waited = 0; waited < 130_000; waited += 500) {
    await net.after(500);
    const digits = unit.audio.digits.splice(0).map(({ digit }) => digit);
    received += digits.join('');
    // BS 8521: the device confirms.
    if (digits.at(-1) === '#') unit.audio.press('B');
  }
  expect(steps()).not.toContain('accepted anna');
  expect(unit.has('BYE')).toBe(false);
  expect(received).toMatch(words);
});
