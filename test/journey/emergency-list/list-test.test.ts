import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CallListTestState } from '#shared/contract/alarm-queue/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { entry, listOf, presses, raisesAlarm, rings, takes } from './people.ts';

/*
 * The monthly test call of a list, as the telephones of its people hear it. The control plane asks for it by name.
 */

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

const BRIDGE = { destinationMatch: '^here$', defaultEmergencyDestination: 'sip:arc@care.example' };
const alarms = () => site.posted.map(({ body }) => body).filter(({ type }) => type === 'serviceAlarm');

/** The control plane asks for the test of the list of the bridge, or of a device. */
function ask(id = 'bridge-1', entity: 'alarmbridge' | 'device' = 'alarmbridge'): CallListTestState | string {
  const answer = site.runtime.listTests.ask({ entity, id, test: '2026-11.1' });
  return answer.ok ? answer.value : answer.error.code;
}

it('calls each person of a list, who confirms with the key 1, and its record has the sum', async () => {
  site.bridge({ ...BRIDGE, name: 'Units', emergencyCallList: listOf('anna', 'bo') });
  expect(ask()).toEqual({ state: 'running', called: 2, confirmed: 0 });
  expect(await rings(net, anna)).toBe(true);
  expect(bo.has('INVITE')).toBe(false);
  await takes(net, anna, '1');
  expect(await rings(net, bo)).toBe(true);
  // Asked again by the same name, it calls no person twice.
  expect(ask()).toEqual({ state: 'running', called: 2, confirmed: 1 });
  bo.respond(bo.request('INVITE'), 486);
  await net.after(5_000);
  expect(ask()).toEqual({ state: 'done', called: 2, confirmed: 1 });
  expect([anna, bo].filter((phone) => phone.has('INVITE'))).toEqual([]);
  const [record, ...more] = await site.recorded();
  expect(more).toEqual([]);
  expect(record).toMatchObject({ kind: 'call', result: 'done', receiverName: 'Units' });
  expect(record?.reason).toContain('test call of the emergency list: 1 of 2 people confirmed');
  const steps = site
    .trace(String(record?.traceId))
    .filter(({ kind }) => kind === 'emergencyProgress')
    .map(({ detail: { step, destination, isTest } }) => `${step} ${destination} ${isTest}`);
  expect(steps).toEqual([
    'ringing sip:anna@care.example true',
    'answered sip:anna@care.example true',
    'accepted sip:anna@care.example true',
    'ringing sip:bo@care.example true',
    'notReached sip:bo@care.example true',
  ]);
  // No application hears of an alarm, and the figures of alarms do not count it.
  expect(site.posted).toEqual([]);
  expect(site.runtime.people.figures).toEqual(FIGURES);
  expect(site.runtime.listTests.figures).toMatchObject({ 'people_list_tests_total{result="partly"}': 1 });
});

const FIGURES = {
  people_calls: 0,
  people_calls_waiting: 0,
  'people_lists_total{result="cleared"}': 0,
  'people_lists_total{result="stopped"}': 0,
  'people_lists_total{result="unanswered"}': 0,
};

it('raises a platform alarm with the destinations when no person confirms', async () => {
  const own = {
    alarmBridge: { emergencyDestination: 'sip:bo@care.example', emergencyCallList: listOf('anna') },
  };
  await net.device('unit', '192.0.2.30', { serviceData: own }, false);
  expect(ask('unit', 'device')).toMatchObject({ state: 'running' });
  await rings(net, anna);
  await takes(net, anna, '9');
  await net.after(3_000);
  expect(ask('unit', 'device')).toEqual({ state: 'done', called: 1, confirmed: 0 });
  expect(alarms()).toEqual([
    expect.objectContaining({
      ...{ error: 'callListTestFailed', deviceId: 'unit' },
      errorDetails: expect.objectContaining({ destinations: ['sip:anna@care.example'] }),
    }),
  ]);
  expect(await site.recorded()).toEqual([expect.objectContaining({ result: 'unanswered' })]);
});

it('yields to an alarm, whose people it would make busy, and goes on later with the same person', async () => {
  await twoLists();
  expect(ask()).toMatchObject({ state: 'running' });
  expect(await rings(net, anna)).toBe(true);
  await takes(net, anna);
  await raisesAlarm(site, net, 'scaip', { emergencyCallList: listOf('anna') });
  expect(await rings(net, anna)).toBe(true);
  expect(anna.has('BYE')).toBe(true);
  anna.respond(anna.request('BYE'), 200);
  // Tests of other lists wait as well.
  expect(ask('bridge-2')).toBe('busy');
  const invite = await takes(net, anna, '1');
  anna.inDialog(anna.answeredTalk(invite), 'BYE');
  await net.after(30_000);
  expect(anna.has('INVITE')).toBe(false);
  expect(await rings(net, anna, 620_000)).toBe(true);
  await takes(net, anna, '1');
  await net.after(3_000);
  expect(ask()).toEqual({ state: 'done', called: 1, confirmed: 1 });
});

/** A second receiver with a list of its own. */
async function twoLists(): Promise<void> {
  site.bridge({ ...BRIDGE, emergencyCallList: listOf('anna') });
  site.bridge({ ...BRIDGE, id: 'bridge-2', destinationMatch: '^there$', emergencyCallList: listOf('bo') });
}

it('calls no receiver of ours and no device outside, and has no test of a list that is not here', async () => {
  const steps = [{ entries: [entry('here'), { destination: 'sip:x@other.example' }] }];
  site.bridge({ ...BRIDGE, emergencyCallList: { steps } });
  expect(ask('bridge-9')).toBe('notFound');
  expect(ask('anna', 'device')).toBe('notFound');
  ask();
  await net.after(3_000);
  expect(ask()).toEqual({ state: 'done', called: 2, confirmed: 0 });
  expect(alarms()).toHaveLength(1);
});

it('says that it is a test until a key comes, and takes a late one', async () => {
  site.bridge({ ...BRIDGE, emergencyCallList: listOf('anna') });
  ask();
  await rings(net, anna);
  await takes(net, anna);
  await net.after(25_000);
  expect(ask()).toMatchObject({ state: 'running' });
  await presses(net, anna, '1');
  await net.after(3_000);
  expect(ask()).toEqual({ state: 'done', called: 1, confirmed: 1 });
  expect(anna.has('BYE')).toBe(true);
});
