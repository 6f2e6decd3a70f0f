import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALARM_QUEUED, alarmQueuedDataSchema } from '#shared/contract/alarm-queue/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { answersMessages, hears, listOf, presses, raisesAlarm, rings, takes } from './people.ts';

/*
 * No person of the list has accepted: the alarm waits in the alarm queue of the control plane, and the person who takes it is
 * called by the host and joined with the device, which is called back.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;
let isThere: boolean;
const ONCE = { ...listOf('anna'), rounds: 1 };

async function begins(more: Parameters<typeof testAppliance>[0] = {}): Promise<void> {
  site = await testAppliance({ alarmQueue: () => isThere, ...more });
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
  bo = await net.device('bo', '192.0.2.42');
}

beforeEach(async () => {
  isThere = true;
  await begins();
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

/** Reports to the alarm queue that wait in the outbox, the oldest first. */
const reports = () =>
  site.journal
    .pending('cloud', 'alarm', 0, 100)
    .filter(({ type }) => type === ALARM_QUEUED)
    .map(({ body }) => alarmQueuedDataSchema.parse(JSON.parse(body)));

const calls = () => reports().map(({ call }) => call);
const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);
const sessionId = () => String(reports()[0]?.sessionId);
const take = (user: string, accept: 'key' | 'answer' = 'answer') =>
  site.runtime.commands.take({ sessionId: sessionId(), destination: `sip:${user}@care.example`, accept });

/** An alarm whose list was called in vain: anna is busy. */
async function queued(protocol: string, fields: Record<string, unknown> = { emergencyCallList: ONCE }) {
  const raised = await raisesAlarm(site, net, protocol, fields);
  expect(await rings(net, anna)).toBe(true);
  anna.respond(anna.request('INVITE'), 486);
  for (let waited = 0; waited < 60_000 && reports().length === 0; waited += 500) {
    await net.after(500);
    answersMessages(raised.unit);
  }
  return raised;
}

/** The device is called back, and takes the call. */
async function deviceAnswers(unit: Telephone): Promise<void> {
  expect(await rings(net, unit, 60_000)).toBe(true);
  await takes(net, unit);
}

describe.each(['scaip', 'bs8521'])('an alarm of %s that no person of its list has accepted', (protocol) => {
  it('waits uncleared, and a person is notified', async () => {
    const { unit } = await queued(protocol);
    expect(errors()).toEqual(['emergencyUnanswered']);
    expect(reports()).toEqual([
      expect.objectContaining({ call: 'none', hasVoice: true, called: 1, protocol: expect.any(String) }),
    ]);
    await net.after(2_000);
    if (protocol !== 'scaip') expect(unit.has('BYE')).toBe(true);
    expect(site.runtime.alarmSessions.size).toBe(1);
    // It waits on after a start: a host that is to be upgraded is quiet.
    expect(site.runtime.load.alarms).toBe(0);
    take('bo');
    expect(await rings(net, bo)).toBe(true);
    expect(site.runtime.load.alarms).toBe(1);
  });
});

describe('the person who takes the alarm', () => {
  it('is called, speaks with the device, which is called back, and clears the alarm', async () => {
    const { unit, talk } = await queued('scaip');
    if (unit.has('BYE')) unit.respond(unit.request('BYE'), 200);
    expect(talk).toBeDefined();
    expect(take('bo')).toEqual({ ok: true, value: undefined });
    expect(await rings(net, bo)).toBe(true);
    await takes(net, bo);
    await deviceAnswers(unit);
    expect(await hears(net, bo, unit)).toBe(true);
    expect(await hears(net, unit, bo)).toBe(true);
    expect(calls()).toContain('talking');
    const done = site.runtime.commands.hangUp(sessionId());
    for (let waited = 0; waited < 16_000 && !unit.has('BYE'); waited += 500) {
      await net.after(500);
      answersMessages(unit);
    }
    await done;
    await net.after(12_000);
    expect(reports().at(-1)).toMatchObject({ call: 'ended' });
    expect(['handled', 'callCleared', 'cleared']).toContain(reports().at(-1)?.outcome);
    expect(site.runtime.alarmSessions.size).toBe(0);
  });

  it('accepts a call to an own number with the key 1 alone', async () => {
    await queued('scaip');
    take('bo', 'key');
    await rings(net, bo);
    await takes(net, bo);
    expect(calls()).not.toContain('talking');
    await presses(net, bo, '1');
    expect(calls()).toContain('talking');
  });

  it('clears nothing by a hang-up: the alarm waits again', async () => {
    await queued('scaip', { emergencyCallList: ONCE, arcDisconnectClearsCall: true });
    take('bo');
    await rings(net, bo);
    const invite = await takes(net, bo);
    bo.inDialog(bo.answeredTalk(invite), 'BYE');
    await net.after(1_000);
    expect(reports().at(-1)).toMatchObject({ call: 'none' });
    expect(site.runtime.alarmSessions.size).toBe(1);
  });

  it('gives the alarm back, and the call ends', async () => {
    await queued('scaip');
    take('bo');
    await rings(net, bo);
    await takes(net, bo);
    expect(site.runtime.commands.release(sessionId())).toEqual({ ok: true, value: undefined });
    await net.after(1_000);
    expect(bo.has('BYE')).toBe(true);
    expect(reports().at(-1)).toMatchObject({ call: 'none' });
  });

  it('is refused while the own people of the alarm are called, and for a session that is not here', async () => {
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: ONCE });
    await rings(net, anna);
    const [known] = site.runtime.alarmSessions.running;
    const request = { destination: 'sip:bo@care.example', accept: 'answer' } as const;
    const sessionIdOf = known?.facts.sessionId ?? '';
    expect(site.runtime.commands.take({ ...request, sessionId: sessionIdOf })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(site.runtime.commands.take({ ...request, sessionId: 'none' })).toBeUndefined();
  });
});

describe('an alarm without a list', () => {
  it('waits in the queue when no application has decided and no person can be called', async () => {
    site.answerBy(() => answered({ wrong: true }));
    await raisesAlarm(site, net, 'scaip', {});
    for (let waited = 0; waited < 120_000 && reports().length === 0; waited += 1_000) await net.after(1_000);
    expect(reports()[0]).toMatchObject({ call: 'none', called: 0 });
  });
});

describe('without a line to the control plane', () => {
  it('a list keeps its rounds and ends unanswered, as without a queue', async () => {
    isThere = false;
    await raisesAlarm(site, net, 'scaip', { emergencyCallList: ONCE });
    await rings(net, anna);
    anna.respond(anna.request('INVITE'), 486);
    await net.after(5_000);
    expect(errors()).toEqual(['emergencyUnanswered']);
    const ended = site.posted.find(({ body }) => body.step === 'unanswered');
    expect(ended?.body.reason).toContain('the alarm queue of the control plane cannot be reached');
    expect(reports()).toEqual([]);
    expect(site.runtime.alarmSessions.size).toBe(0);
  });

  it('an alarm that waits already is taken after a restart, too', async () => {
    await queued('scaip');
    const before = site;
    await before.close(true);
    await begins({ folder: before.folder, records: before.records });
    site.bridge({ protocol: 'scaip', name: 'Units', destinationMatch: '^here$', emergencyCallList: ONCE });
    site.recorder.recall();
    site.runtime.restore();
    await net.pump();
    expect(reports().at(-1)).toMatchObject({ call: 'none' });
    take('bo');
    expect(await rings(net, bo)).toBe(true);
    await takes(net, bo);
    await presses(net, bo, '00');
    await net.after(2_000);
    expect(reports().at(-1)).toMatchObject({ call: 'ended', outcome: 'handled' });
  });
});
