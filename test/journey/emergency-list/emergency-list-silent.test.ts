import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALARM_QUEUED, alarmQueuedDataSchema } from '#shared/contract/alarm-queue/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { panelAt, siaFrame } from '#test/support/panel.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { SILENT_PROTOCOLS } from '#test/support/voice-alarm.ts';
import { answersMessages, listOf, presses, raisesSilentAlarm, rings, takes } from './people.ts';

/*
 * Events without speech: people are called for them, too, and an event that no person has accepted is unanswered and never cleared.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

async function begins(hasQueue = false): Promise<void> {
  site = await testAppliance(hasQueue ? { alarmQueue: () => true } : {});
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
  bo = await net.device('bo', '192.0.2.42');
}

beforeEach(() => begins());

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);
const trace = () => site.trace(String(reported()[0]?.body.traceId));
const outcome = () => trace().find(({ kind }) => kind === 'sessionEnded')?.detail.outcome;

const LIST = { ...listOf('anna', 'bo'), rounds: 2, pause: 10_000 };

interface Raised {
  /** Absent: a panel, which has no call. */
  readonly unit?: Telephone;
  readonly isInCall: boolean;
  /** Answers to the panel. */
  readonly said: readonly string[];
}

async function raises(protocol: string, emergencyCallList: object): Promise<Raised> {
  const fields = { emergencyCallList, defaultEmergencyDestination: 'sip:arc@care.example' };
  if (protocol !== 'dc09') {
    const { unit, talk } = await raisesSilentAlarm(site, net, protocol, fields);
    return { unit, isInCall: talk !== undefined, said: [] };
  }
  site.bridge({ protocol, name: 'Panels', destinationMatch: '#1234$', ...fields });
  const { said, send } = panelAt(site);
  send(siaFrame('0001', 'NBA12'));
  await net.pump();
  return { isInCall: false, said };
}

/** Every person is busy, until the alarm is over; how often they were called. */
async function areBusy({ unit }: Raised): Promise<number> {
  let calls = 0;
  for (let waited = 0; waited < 240_000 && outcome() === undefined; waited += 500) {
    for (const phone of [anna, bo])
      while (phone.has('INVITE')) {
        calls++;
        phone.respond(phone.request('INVITE'), 486, { tag: `${phone.user}-${calls}` });
      }
    await net.after(500);
    if (unit !== undefined) answersMessages(unit);
  }
  await net.after(1_000);
  return calls;
}

/** Requests to the device, each once however often it was repeated. */
const asked = ({ unit }: Raised): number =>
  new Set(unit?.received.flatMap((each) => (each.kind === 'request' ? [each.callId] : []))).size;

describe.each(SILENT_PROTOCOLS)('an event without speech of %s', (protocol) => {
  it('that no person accepts is unanswered: nothing clears it, and a platform alarm is raised', async () => {
    const raised = await raises(protocol, LIST);
    expect(await rings(net, anna)).toBe(true);
    expect(reported()[0]?.body).toMatchObject({ alarmEvent: { audio: 'none' } });
    // The acknowledge of the event is over.
    if (raised.unit !== undefined) answersMessages(raised.unit);
    await net.after(3_000);
    const before = [raised.said.length, asked(raised)];
    raised.unit?.audio.digits.splice(0);
    expect(await areBusy(raised)).toBe(4);
    expect(outcome()).toBe('unanswered');
    expect(errors()).toEqual(['emergencyUnanswered']);
    const commands = trace().filter(({ kind }) => kind === 'deviceCommand');
    expect(commands.map(({ detail }) => detail.command)).not.toContain('clearDown');
    // A device that is in its call is set to speak, kept alive (BS 8521) and hung up; any other one hears nothing more.
    const digits = raised.unit?.audio.digits.map(({ digit }) => digit).join('') ?? '';
    expect(digits).toMatch(/^[A7#]*$/);
    if (raised.isInCall) expect(raised.unit?.has('BYE')).toBe(true);
    else expect([raised.said.length, asked(raised)]).toEqual(before);
    expect(site.runtime.alarmSessions.size).toBe(0);
  });

  it('whose application has failed calls its people nevertheless, and is not cleared', async () => {
    site.answerBy(() => answered({ wrong: true }));
    const raised = await raises(protocol, { ...LIST, rounds: 1 });
    expect(await areBusy(raised)).toBe(2);
    expect(outcome()).toBe('unanswered');
    expect(errors()).toContain('emergencyUnanswered');
    const commands = trace().filter(({ kind }) => kind === 'deviceCommand');
    expect(commands.map(({ detail }) => detail.command)).not.toContain('clearDown');
  });
});

describe('an event of a panel (DC-09) that no person of its list has accepted', () => {
  it('waits in the alarm queue, and the person who takes it is called for it', async () => {
    await site.close();
    await begins(true);
    await raises('dc09', { ...LIST, rounds: 1 });
    for (const phone of [anna, bo]) {
      expect(await rings(net, phone)).toBe(true);
      phone.respond(phone.request('INVITE'), 486);
    }
    await net.after(1_000);
    const reports = site.journal
      .pending('cloud', 'alarm', 0, 100)
      .filter(({ type }) => type === ALARM_QUEUED)
      .map(({ body }) => alarmQueuedDataSchema.parse(JSON.parse(body)));
    expect(reports).toEqual([expect.objectContaining({ call: 'none', hasVoice: false, called: 2 })]);
    expect(outcome()).toBeUndefined();
    const { sessionId = '' } = reports[0] ?? {};
    site.runtime.commands.take({ sessionId, destination: 'sip:bo@care.example', accept: 'key' });
    expect(await rings(net, bo)).toBe(true);
    await takes(net, bo, '1');
    await presses(net, bo, '00');
    await net.after(2_000);
    expect(bo.has('BYE')).toBe(true);
    expect(outcome()).toBe('handled');
  });
});
