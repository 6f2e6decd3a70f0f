import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { MESSAGE, messageOf } from '#test/support/voice-alarm.ts';
import { entry } from './people.ts';

/* How soon people ring, on the clock of the appliance: from the decision, and from the end of a window. */

/** Longest time from the decision to the first INVITE, and from the end of a window to the next one, ms. */
const FIRST_MS = 300;
const NEXT_MS = 100;
const STEP_MS = 10;

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const people = (count: number): Promise<Telephone[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => net.device(`p${index}`, `192.0.2.${100 + index}`)));

/** Time until every one of these rings, ms. */
async function untilRing(phones: readonly Telephone[], mostMs: number): Promise<number> {
  for (let ms = 0; ms < mostMs; ms += STEP_MS) {
    if (phones.every((phone) => phone.has('INVITE'))) return ms;
    await net.after(STEP_MS, STEP_MS);
  }
  return Number.POSITIVE_INFINITY;
}

function listed(steps: readonly unknown[]): void {
  site.bridge({
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    emergencyCallList: { steps },
  });
}

async function alarmOf(index: number): Promise<void> {
  const fields = { authType: 'deviceid', digest: undefined };
  const unit = await net.device(`unit${index}`, `198.18.0.${index + 1}`, fields, false);
  messageOf(unit, MESSAGE.scaip ?? '', 'here', `alarm ${index}`);
}

it('the first person rings at most 300 ms after the decision', async () => {
  const [first] = await people(1);
  if (first === undefined) throw new Error('no telephone');
  listed([{ entries: [entry('p0')] }]);
  await alarmOf(0);
  await net.pump();
  expect(await untilRing([first], 2_000)).toBeLessThanOrEqual(FIRST_MS);
});

it.each([
  ['ring time', false, 25_000],
  ['window to accept', true, 20_000],
] as const)(
  'the next person rings at most 100 ms after the %s of the one before has ended',
  async (_, answers, lengthMs) => {
    const [first, second] = await people(2);
    if (first === undefined || second === undefined) throw new Error('no telephone');
    listed([{ entries: [entry('p0')] }, { entries: [entry('p1')] }]);
    await alarmOf(0);
    await net.pump();
    expect(await untilRing([first], 2_000)).toBeLessThanOrEqual(FIRST_MS);
    if (answers) await takesCall(first, net);
    // The last step of this wait lies before the end, whatever time the answer has taken.
    await net.after(lengthMs - 500, 500);
    expect(second.has('INVITE')).toBe(false);
    expect(await untilRing([second], 1_000)).toBeLessThanOrEqual(500 + NEXT_MS);
  },
);

it('ten lists of ten people ring at once within 300 ms', async () => {
  const all = await people(100);
  const lists = Array.from({ length: 10 }, (_, index) => index);
  for (const index of lists)
    site.bridge({
      id: `bridge-${index}`,
      destinationMatch: `^here${index}$`,
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: {
        steps: [{ entries: Array.from({ length: 10 }, (_, place) => entry(`p${10 * index + place}`)) }],
      },
    });
  for (const index of lists) {
    const fields = { authType: 'deviceid', digest: undefined };
    const unit = await net.device(`unit${index}`, `198.18.0.${index + 1}`, fields, false);
    messageOf(unit, MESSAGE.scaip ?? '', `here${index}`, `alarm ${index}`);
  }
  await net.pump();
  expect(await untilRing(all, 2_000)).toBeLessThanOrEqual(FIRST_MS);
  expect(site.runtime.people.figures.people_calls).toBe(100);
});

it('a list whose ten people are called at once writes its steps in one commit, with its state', async () => {
  const all = await people(10);
  listed([{ entries: all.map((_, place) => entry(`p${place}`)) }]);
  const commits = vi.spyOn(site.journal, 'commit');
  await alarmOf(0);
  await net.pump();
  expect(await untilRing(all, 2_000)).toBeLessThanOrEqual(FIRST_MS);
  const reports = commits.mock.calls
    .map(([writes]) => writes)
    .filter((writes) =>
      writes.some((write) => write.kind === 'outbox' && write.row.type === 'emergencyProgress'),
    );
  commits.mockRestore();
  // The round, and a ring for each of them.
  expect(reports.map((writes) => writes.filter(({ kind }) => kind === 'outbox').length)).toEqual([11]);
  expect(reports.map((writes) => writes.filter(({ kind }) => kind === 'session').length)).toEqual([1]);
  await net.after(STEP_MS, STEP_MS);
  const steps = site.posted
    .filter(({ call }) => call.path === '/emergencyProgress')
    .map(({ body }) => body.step);
  expect(steps).toEqual(['roundStarted', ...all.map(() => 'ringing')]);
});
