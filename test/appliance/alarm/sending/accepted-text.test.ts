import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
beforeEach(async () => {
  site = await testAppliance();
});
afterEach(() => site.close());

const DIRECT = sendAlarmEventSchema.parse({
  alarmEvent: { eventType: 'common', deviceType: 'fixedTrigger', controllerId: '12345678' },
  protocol: 'scaip',
  destAddr: 'sip:alarm@192.0.2.80',
});

async function answer(): Promise<string> {
  const taken = await site.runtime.sending.sender.send(DIRECT, undefined);
  if (!taken.ok) throw new Error(taken.error.reason);
  return taken.value.message;
}

it('a direct event without an application says that success is not reported', async () => {
  expect(await answer()).toBe(
    'the event is stored and goes out by scaip; success is not reported, because the tenant has no alarm bridge of protocol api; a failure is a platform alarm',
  );
});

it('with several applications the answer names the one that is notified', async () => {
  site.bridge({ protocol: 'api', name: 'Late', order: 7 });
  const first = site.bridge({ protocol: 'api', name: 'First', order: 3 });
  expect(await answer()).toBe(
    `the event is stored and goes out by scaip; alarmSent or alarmSendFailure goes to the application of alarm bridge First (${first.id})`,
  );
});
