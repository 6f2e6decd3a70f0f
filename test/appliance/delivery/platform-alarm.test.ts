import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConditionEvent } from '#appliance/site/index.ts';
import type { ReplicatedMaintenance } from '#shared/contract/site/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const HOUR_MS = 3_600_000;
const URL = 'https://app.example/alarms';

let site: Awaited<ReturnType<typeof testAppliance>>;
beforeEach(async () => {
  site = await testAppliance();
  site.notify(URL);
  site.answerBy(() => answered({}, 204));
});
afterEach(() => site.close());

const AWAY = false;
const THERE = true;

function event(status: ConditionEvent['status'], changes: Partial<ConditionEvent> = {}): ConditionEvent {
  const since = site.clock.wallMs();
  return {
    error: 'serviceFailure',
    service: 'sip',
    severity: 'major',
    message: 'does not answer',
    status,
    since,
    suppressed: 0,
    ...changes,
  };
}

async function say(cloudThere: boolean, ...args: Parameters<typeof event>): Promise<void> {
  site.runtime.alarms.standing(event(...args), cloudThere);
  await site.quiet();
}

function windowOf(changes: Partial<ReplicatedMaintenance> = {}, id = 'w'): void {
  const startsAt = site.clock.wallMs();
  site.tenant.put('maintenance', id, { startsAt, endsAt: startsAt + HOUR_MS, ...changes });
}

async function pass(ms: number, cloudThere = AWAY): Promise<void> {
  await site.leap(ms);
  site.runtime.alarms.lookAtWindows(cloudThere);
  await site.quiet();
}

/** Callbacks to the application, in order. */
const reported = () =>
  site.posted.map(({ body }) => {
    const { status, service } = body.errorDetails as Record<string, string>;
    return `${status} ${service}`;
  });
/** Events to the cloud, and whether the site says that it has notified the tenant itself. */
const noted = () =>
  site.journal.pending('cloud', 'alarm', 0, 100).map(({ body }) => {
    const alarm = JSON.parse(body) as Record<string, unknown>;
    const { status } = alarm.errorDetails as Record<string, string>;
    return `${status}${alarm.told === true ? ' told' : ''}`;
  });

it('without a window the site sends its alarms itself while the cloud is away, and only then', async () => {
  await say(AWAY, 'raised');
  await say(THERE, 'cleared');
  expect(reported()).toEqual(['raised sip']);
  expect(noted()).toEqual(['raised told', 'cleared']);
});

it.each([
  ['of the site', {}],
  ['of this host', { hostId: 'box-1' }],
])('in a window %s they are noted, and begin and end are reported to no one', async (_, changes) => {
  windowOf(changes);
  await say(AWAY, 'raised');
  await pass(HOUR_MS / 2);
  await say(AWAY, 'cleared');
  await pass(HOUR_MS);
  expect(reported()).toEqual([]);
  expect(noted()).toEqual(['raised', 'cleared']);
});

it.each<[string, Partial<ReplicatedMaintenance>]>([
  ['of another host', { hostId: 'box-2' }],
  ['that is planned', { startsAt: 9e15, endsAt: 9e15 + 1 }],
  ['that is over', { startsAt: 1, endsAt: 2 }],
])('a window %s hides nothing', async (_, changes) => {
  windowOf(changes);
  await say(AWAY, 'raised');
  expect(reported()).toEqual(['raised sip']);
});

it('an alarm that stands when the window ends is reported then, once, and the cloud learns that it was', async () => {
  windowOf();
  await say(AWAY, 'raised');
  await say(AWAY, 'raised', { service: 'media' });
  await say(AWAY, 'cleared', { service: 'media' });
  await pass(HOUR_MS - 1_000);
  expect(reported()).toEqual([]);
  await pass(2_000);
  await pass(60_000);
  expect(reported()).toEqual(['raised sip']);
  await say(AWAY, 'cleared');
  expect(reported()).toEqual(['raised sip', 'cleared sip']);
  expect(noted()).toEqual(['raised', 'raised', 'cleared', 'raised told', 'cleared told']);
});

it('a window that a person ends early hides nothing from then on', async () => {
  windowOf();
  await say(AWAY, 'raised');
  site.tenant.remove('maintenance', 'w');
  await pass(10_000);
  expect(reported()).toEqual(['raised sip']);
});

it('the cloud reports by itself what stands at the end of a window in which it was there', async () => {
  windowOf();
  await say(THERE, 'raised');
  await pass(HOUR_MS + 1_000, THERE);
  expect(reported()).toEqual([]);
  expect(noted()).toEqual(['raised']);
});

it('a window does not hide the end of a reported alarm', async () => {
  await say(AWAY, 'raised');
  windowOf();
  await say(AWAY, 'cleared');
  expect(reported()).toEqual(['raised sip', 'cleared sip']);
});
