import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type NowIpUnit, nowIpUnit } from '#test/support/nowip-unit.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A NOW-IP device whose MESSAGE comes later than 6 s after its INVITE (protocols 7): the call was an event by itself then. Its
 * MESSAGE is a further event of that session; its speech goes on, and commands have a way.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let device: NowIpUnit;
let arc: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  net.trunk();
  unit = net.stranger('unit', '198.51.100.30');
  device = nowIpUnit(unit, net);
  arc = await net.device('arc', '192.0.2.31');
  site.notify('https://app.example/alarms');
  bridge({});
  answersBy('callEmergencyCenter');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const bridge = (fields: Record<string, unknown>): void =>
  void site.bridge({
    protocol: 'nowipcontroller',
    name: 'Units',
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    controlCommandsEnabled: true,
    ...fields,
  });
const answersBy = (action: string): void => site.answerBy(() => answered({ action }));

/** C 0: it stands alone. C 1: of a scheme. Event 010, and 000. */
const ALONE = '010012345678000101000000';
const OTHER = '010012345678000201000000';
const OF_SCHEME = '110012345678000101000000';
const TAKEN_BACK = '010012345678000100000000';

const says = (type: string, data: string) => device.says(type, data);
const calls = () => device.calls();
const received = () => device.received();

/** A call whose MESSAGE has not come in its time: it is an event by itself. */
async function callsAlone(): Promise<Talk> {
  const talk = await calls();
  await net.after(7_000);
  return talk;
}

/** The same, and people have taken it. */
async function spokenWith(): Promise<Talk> {
  const talk = await callsAlone();
  await takesCall(arc, net);
  return talk;
}

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const events = () =>
  reported().map(({ body }) => ({
    session: String(body.sessionId),
    type: (body.alarmEvent as { readonly deviceType: string }).deviceType,
    unit: (body.alarmEvent as { readonly deviceId?: string }).deviceId,
    warnings: (body.sourceAlarmEvent as { readonly warnings: readonly string[] }).warnings,
  }));
const sessionId = () => events()[0]?.session ?? '';
const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

/** The outcome of a command; the device confirms what it hears. */
async function commanded(command: DeviceCommand): Promise<string> {
  let became = 'nothing';
  void site.runtime.commands.command(sessionId(), { command })?.then((done) => {
    became = done.ok ? 'done' : done.error.code;
  });
  await net.after(500);
  return became;
}

/** The device hangs up, and nothing is left. */
async function over(talk: Talk): Promise<void> {
  unit.inDialog(talk, 'BYE');
  for (let waited = 0; waited < 70_000; waited += 1_000) {
    await net.after(1_000);
    received();
    while (unit.has('BYE')) unit.respond(unit.request('BYE'), 200);
    while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  }
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0, legs: 0 });
}

describe('a MESSAGE that comes while people speak in its call', () => {
  it('is a further event of that session, acknowledged, and no call of its own is waited for', async () => {
    const talk = await spokenWith();
    await says('1', ALONE);
    expect(received()).toEqual(['A']);
    const [first, second] = events();
    expect(events()).toHaveLength(2);
    expect(first).toMatchObject({ type: 'unknown', warnings: ['noMessage'] });
    expect(second).toMatchObject({
      session: first?.session,
      unit: '0001',
      type: 'fixedTrigger',
      warnings: ['lateMessage'],
    });
    expect(site.runtime.load).toMatchObject({ alarms: 1, calls: 1 });
    await net.after(70_000);
    expect([arc.has('INVITE'), arc.has('BYE'), unit.has('BYE')]).toEqual([false, false, false]);
    expect(errors()).toEqual([]);
    await over(talk);
  });

  it('and again is acknowledged and reported no more', async () => {
    const talk = await spokenWith();
    await says('1', ALONE);
    await says('1', ALONE);
    expect(received()).toEqual(['A', 'A']);
    expect(reported()).toHaveLength(2);
    await over(talk);
  });

  it('gives commands a reply path; before it they are refused at once', async () => {
    await spokenWith();
    expect(await commanded('speak')).toBe('commandNotSupported');
    await says('1', ALONE);
    received();
    const became = commanded('speak');
    await net.pump();
    expect(received()).toEqual(['2 7']);
    await says('7', '77777');
    expect(await became).toBe('done');
    void site.runtime.commands.hangUp(sessionId());
    await net.after(500);
    expect(received()).toEqual(['2 D']);
    await says('A', '.');
    await net.after(1_000);
    unit.respond(unit.request('BYE'), 200);
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ alarms: 0 });
  });

  it('says to the device what was to be said when speech began', async () => {
    bridge({ enforceSpeakListen: 'listen' });
    const talk = await spokenWith();
    expect(received()).toEqual([]);
    await says('1', ALONE);
    expect(received()).toEqual(['A', '2 8']);
    await over(talk);
  });

  it('for a scheme: its unit is selected in the call, cleared at the end, and the next is asked for', async () => {
    await spokenWith();
    await says('1', OF_SCHEME);
    expect(received()).toEqual(['A', '2 00001']);
    await says('7', '000101000000');
    void site.runtime.commands.hangUp(sessionId());
    await net.after(500);
    expect(received()).toEqual(['2 9']);
    await says('7', '000001');
    expect(received()).toEqual(['2 10000']);
    await says('9', '000201000000');
    expect(received()).toEqual(['2 00002']);
    expect(events().map(({ unit: its }) => its)).toEqual([undefined, '0001', '0002']);
    expect(unit.has('BYE')).toBe(false);
  });

  it('that cannot be stored gets no acknowledge and ends nothing; its repeat is taken', async () => {
    const talk = await spokenWith();
    site.refuseCommits((writes) => writes.some(({ kind }) => kind === 'event'));
    await says('1', OF_SCHEME);
    site.refuseCommits(undefined);
    expect(received()).toEqual([]);
    expect([arc.has('BYE'), unit.has('BYE')]).toEqual([false, false]);
    await says('1', OF_SCHEME);
    expect(received()).toEqual(['A', '2 00001']);
    expect(events()).toMatchObject([{ unit: undefined }, { unit: '0001', warnings: ['lateMessage'] }]);
    await over(talk);
  });

  it('and is stored after its call has ended is acknowledged and reported', async () => {
    const talk = await spokenWith();
    const release = site.slowDisk();
    await says('1', ALONE);
    unit.inDialog(talk, 'BYE');
    await net.pump();
    await release();
    await net.pump();
    expect(received()).toEqual(['A']);
    expect(reported()).toHaveLength(2);
    await says('1', ALONE);
    expect(received()).toEqual(['A']);
  });

  it('and takes the alarm back: is reported, and the people speak on', async () => {
    const talk = await spokenWith();
    await says('1', TAKEN_BACK);
    expect(received()).toEqual(['A']);
    expect(reported()).toHaveLength(2);
    await net.after(15_000);
    expect([arc.has('BYE'), unit.has('BYE')]).toEqual([false, false]);
    await over(talk);
  });
});

describe('a MESSAGE that comes', () => {
  it('while the application thinks: is reported behind, and people are called once', async () => {
    site.answerBy(() => undefined);
    const talk = await callsAlone();
    await says('1', ALONE);
    expect(received()).toEqual(['A']);
    reported()[0]?.answer(answered({ action: 'callEmergencyCenter' }));
    await net.after(500);
    await takesCall(arc, net);
    await net.after(1_000);
    expect(events()).toMatchObject([
      { warnings: ['noMessage'] },
      { unit: '0001', warnings: ['lateMessage'] },
    ]);
    expect(new Set(events().map(({ session }) => session)).size).toBe(1);
    expect(arc.has('INVITE')).toBe(false);
    await over(talk);
  });

  it('after the application has dropped its call: is an alarm of its own, asked about, and spoken about in that call', async () => {
    answersBy('drop');
    const talk = await callsAlone();
    answersBy('callEmergencyCenter');
    await says('1', ALONE);
    expect(received()).toEqual(['A']);
    await takesCall(arc, net);
    await net.after(15_000);
    expect(unit.has('BYE')).toBe(false);
    const [first, second] = events();
    expect(second).toMatchObject({ unit: '0001', warnings: [] });
    expect(second?.session).not.toBe(first?.session);
    expect(errors()).toEqual([]);
    await over(talk);
  });

  it('never: the call is still hung up by the application', async () => {
    await spokenWith();
    let became = 'nothing';
    void site.runtime.commands.hangUp(sessionId())?.then((done) => {
      became = done.ok ? 'done' : done.error.code;
    });
    await net.after(500);
    expect(became).toBe('done');
    unit.respond(unit.request('BYE'), 200);
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ alarms: 0 });
  });

  it('before a new call of the device: is said in that one too, and the old one goes on', async () => {
    const old = await spokenWith();
    await says('1', ALONE);
    const talk = await calls();
    await takesCall(arc, net);
    await net.after(1_000);
    expect(events()).toMatchObject([
      { warnings: ['noMessage'] },
      { unit: '0001', warnings: ['lateMessage'] },
      { unit: '0001', warnings: [] },
    ]);
    expect(unit.has('BYE')).toBe(false);
    unit.inDialog(old, 'BYE');
    await over(talk);
  });

  it('waits, for another unit beside the late one, for its own call', async () => {
    const one = await spokenWith();
    await says('1', ALONE);
    await net.after(10_000);
    await says('1', OTHER);
    const two = await calls();
    await takesCall(arc, net);
    expect(site.runtime.load).toMatchObject({ alarms: 2, calls: 2 });
    unit.inDialog(one, 'BYE');
    await over(two);
  });
});

it('a second call that hangs up before its MESSAGE is an event, also while another of its number is spoken about', async () => {
  const one = await spokenWith();
  await says('1', ALONE);
  await net.after(10_000);
  const two = await calls();
  unit.inDialog(two, 'BYE');
  await net.after(1_000);
  expect(events().at(-1)).toMatchObject({ warnings: ['noMessage', 'hungUp'] });
  await over(one);
});
