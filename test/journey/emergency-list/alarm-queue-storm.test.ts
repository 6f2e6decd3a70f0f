import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALARM_QUEUED, alarmQueuedDataSchema } from '#shared/contract/alarm-queue/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { entry } from './people.ts';

/*
 * A storm of alarms whose people cannot be reached: a thousand wait in the alarm queue of the control plane. The next one is
 * neither lost nor silent: it ends as without a queue, and people are notified.
 */

const MOST = 1_000;
const LIST = { steps: [{ entries: [entry('gone')] }], rounds: 1 };

let site: Awaited<ReturnType<typeof testAppliance>>;

beforeEach(async () => {
  site = await testAppliance({ alarmQueue: () => true });
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  site.bridge({ defaultEmergencyDestination: 'sip:gone@care.example', emergencyCallList: LIST });
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

/** Alarms of so many units, each acknowledged to its unit. */
async function alarms(from: number, to: number): Promise<void> {
  for (let unit = from; unit < to; unit++) {
    const id = `unit-${unit}`;
    site.device({ deviceId: id });
    const body = `<mrq><ref>R${unit}</ref><cid>${id}</cid><dty>0003</dty><stc>0010</stc></mrq>`;
    site.request('MESSAGE', id, { body });
  }
  await site.quiet();
  for (const message of site.take()) if (message.kind === 'request') site.confirm(message);
  await site.quiet();
}

/** Alarms that wait in the queue by the newest report of each. */
const waiting = (): readonly string[] => {
  const calls = new Map<string, string>();
  for (const { type, body } of site.journal.pending('cloud', 'alarm', 0, 20_000)) {
    if (type !== ALARM_QUEUED) continue;
    const { deviceId = '', call } = alarmQueuedDataSchema.parse(JSON.parse(body));
    calls.set(deviceId, call);
  }
  return [...calls].filter(([, call]) => call !== 'ended').map(([deviceId]) => deviceId);
};

const reported = (path: string) =>
  site.posted.filter(({ call }) => call.path === path).map(({ body }) => body);
const unanswered = () =>
  site.posted.map(({ body }) => body).filter(({ error }) => error === 'emergencyUnanswered');
const ends = (deviceId: string) =>
  reported('/emergencyProgress').filter((body) => body.deviceId === deviceId && body.step === 'unanswered');

it('a thousand alarms wait, the next one ends unanswered with its cause, and one that is over makes room', async () => {
  await alarms(0, MOST);
  expect(waiting()).toHaveLength(MOST);
  await alarms(MOST, MOST + 2);
  expect(waiting()).toHaveLength(MOST);
  // Each alarm came to the application, and each has a platform alarm.
  expect(reported('/newAlarmbridgeEvent')).toHaveLength(MOST + 2);
  expect(unanswered()).toHaveLength(MOST + 2);
  for (const unit of [MOST, MOST + 1])
    expect(ends(`unit-${unit}`)).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('very many alarms are open at this host') }),
    ]);
  expect(site.runtime.alarmSessions.size).toBe(MOST);
  const [first] = site.runtime.alarmSessions.running;
  await site.runtime.commands.hangUp(first?.facts.sessionId ?? '');
  await site.quiet();
  expect(site.runtime.alarmSessions.size).toBe(MOST - 1);
  await alarms(MOST + 2, MOST + 3);
  expect(waiting()).toHaveLength(MOST);
  expect(waiting()).toContain(`unit-${MOST + 2}`);
});
