import { describe, expect, test } from 'vitest';
import { alarmProbe, judgeTestAlarm } from '#appliance/selftest/alarm-probe.ts';
import type { TestAlarmResult } from '#shared/self-test/index.ts';

const look = (outcome: TestAlarmResult['outcome'], bridge = 'scaip'): TestAlarmResult => ({
  bridge,
  host: 'app.example',
  outcome,
});
const taken: TestAlarmResult['outcome'] = { kind: 'delivered', ms: 41.6 };

describe('a test alarm', () => {
  test.each([
    [taken, 'ok', undefined],
    [{ kind: 'refused', status: 401 }, 'failure', 'alarm.login'],
    [{ kind: 'refused', status: 403 }, 'failure', 'alarm.login'],
    [{ kind: 'refused', status: 500 }, 'failure', 'alarm.refused'],
    [{ kind: 'unreached', reason: 'ECONNREFUSED' }, 'failure', 'alarm.unreached'],
    [{ kind: 'waiting', waitedMs: 18_000 }, 'failure', 'alarm.waiting'],
    [{ kind: 'notStored', reason: 'no space left on device' }, 'failure', 'alarm.notStored'],
    [{ kind: 'dropped' }, 'skipped', 'alarm.dropped'],
    [{ kind: 'notTaken', reason: 'refused: 403' }, 'failure', 'alarm.notTaken'],
    [{ kind: 'unmarked', reason: 'no account' }, 'skipped', 'alarm.unmarked'],
    [{ kind: 'byCall' }, 'skipped', 'alarm.byCall'],
  ] as const)('%j is %s, %s', (outcome, verdict, code) => {
    const judged = judgeTestAlarm(look(outcome));
    expect([judged.verdict, judged.code]).toEqual([verdict, code]);
    if (verdict !== 'skipped') expect(judged.found).toMatch(/^scaip \(app\.example\): /);
  });

  test('has a point for each application, what fails first', async () => {
    const looks = [look(taken), look({ kind: 'refused', status: 500 }, 'lift')];
    const points = await alarmProbe(true, { alarms: async () => looks });
    expect(points.map(({ found }) => found)).toEqual([
      'lift (app.example): 500',
      'scaip (app.example): taken in 42 ms',
    ]);
  });

  test('is skipped where no person is named, and before enrolment', async () => {
    expect(await alarmProbe(true, { alarms: async () => [] })).toMatchObject([{ code: 'alarm.none' }]);
    expect(await alarmProbe(false, undefined)).toMatchObject([{ verdict: 'skipped', code: 'notEnrolled' }]);
  });

  test('fails when the service cannot be asked', async () => {
    const down = { alarms: () => Promise.reject(new Error('ECONNREFUSED')) };
    expect(await alarmProbe(true, down)).toMatchObject([{ verdict: 'failure', code: 'service.silent' }]);
  });
});
