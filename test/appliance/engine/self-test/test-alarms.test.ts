import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newAlarmbridgeEventSchema } from '#shared/contract/callback/index.ts';
import { replicatedAlarmBridgeSchema } from '#shared/contract/provisioning/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
beforeEach(async () => {
  appliance = await testAppliance();
  bridge('b1', { callbackBaseUrl: 'https://app.example/alarms' });
});
afterEach(() => appliance.close());

function bridge(id: string, fields: Record<string, unknown>): void {
  const body = { id, name: id, protocol: 'scaip', destinationMatch: `^${id}$`, ...fields };
  appliance.tenant.put('alarmbridge', id, replicatedAlarmBridgeSchema.parse(body));
}

const rowsLeft = () => appliance.journal.pendingOutbox().filter(({ type }) => type === 'newAlarmbridgeEvent');

/** Sends it; resolves when so many requests are out. The outcome is awaited later. */
async function sent(requests: number) {
  const looks = appliance.runtime.testAlarms.send();
  while (appliance.posted.length < requests) await appliance.quiet();
  return { looks };
}

describe('a test alarm of this machine', () => {
  test('lies in the outbox before it goes out, says that it is a test, and is done when it is taken', async () => {
    const { looks } = await sent(1);
    const [posted] = appliance.posted;
    expect(rowsLeft()).toHaveLength(1);
    expect(posted?.target.url).toBe('https://app.example/alarms');
    expect(posted?.call.path).toBe('/newAlarmbridgeEvent');
    expect(newAlarmbridgeEventSchema.parse(posted?.body)).toMatchObject({
      sipFrom: 'selftest',
      alarmEvent: {
        controllerId: 'box-1',
        deviceType: 'systemMonitor',
        statusCode: 'alarmTest',
        audio: 'none',
      },
      sourceAlarmEvent: { fields: { selfTest: true, hostId: 'box-1' } },
    });
    posted?.answer({
      kind: 'answered',
      status: 200,
      body: '{"action":"callEmergencyCenter"}',
      credential: 0,
    });
    expect(await looks).toMatchObject([
      { bridge: 'b1', host: 'app.example', outcome: { kind: 'delivered' } },
    ]);
    await appliance.quiet();
    expect(rowsLeft()).toEqual([]);
    expect(appliance.posted, 'and calls nobody').toHaveLength(1);
  });

  test('goes once to each address, whatever the number of bridges', async () => {
    bridge('b2', { callbackBaseUrl: 'https://app.example/alarms' });
    bridge('b3', { callbackBaseUrl: 'https://other.example' });
    const { looks } = await sent(2);
    for (const posted of appliance.posted)
      posted.answer({ kind: 'answered', status: 200, body: '', credential: 0 });
    expect((await looks).map(({ host }) => host)).toEqual(['app.example', 'other.example']);
  });

  test.each([
    [
      { kind: 'answered', status: 401, body: '', credential: 0 },
      { kind: 'refused', status: 401 },
    ],
    [{ kind: 'failed', code: 'ECONNREFUSED', reason: 'nobody' }, { kind: 'unreached' }],
  ] as const)(
    'is reported when it is not taken (%j), and does not come a week later',
    async (answer, outcome) => {
      const { looks } = await sent(1);
      appliance.posted[0]?.answer(answer);
      expect(await looks).toMatchObject([{ outcome }]);
      await appliance.quiet();
      expect(rowsLeft()).toEqual([]);
      await appliance.after(3_600_000);
      expect(appliance.posted).toHaveLength(1);
    },
  );

  test('is reported when it gets no answer in its time, and withdrawn when the attempt has ended', async () => {
    const { looks } = await sent(1);
    await appliance.after(18_000);
    expect(await looks).toMatchObject([{ outcome: { kind: 'waiting', waitedMs: 18_000 } }]);
    appliance.posted[0]?.answer({ kind: 'failed', code: 'timeout', reason: 'no answer' });
    await appliance.quiet();
    await appliance.after(3_600_000);
    expect(appliance.posted).toHaveLength(1);
    expect(rowsLeft()).toEqual([]);
  });

  test('that cannot be stored is not sent', async () => {
    appliance.breakDisk(true);
    expect(await appliance.runtime.testAlarms.send()).toMatchObject([
      { outcome: { kind: 'notStored', reason: 'no space left on device' } },
    ]);
    expect(appliance.posted).toEqual([]);
  });
});
