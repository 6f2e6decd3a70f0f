import type { TestAlarmResult } from '#shared/self-test/index.ts';
import { bad, good, type Outcome, skipped } from './record.ts';
import type { RunningProbes } from './running.ts';

/** One outcome for each application and receiver that alarms of this site go to, what fails first. */
export async function alarmProbe(
  enrolled: boolean,
  running: Pick<RunningProbes, 'alarms'> | undefined,
): Promise<readonly Outcome[]> {
  if (!enrolled) return [skipped('notEnrolled')];
  const looks = await running?.alarms().catch((cause: unknown) => String(cause));
  if (looks === undefined || typeof looks === 'string')
    return [bad('service.silent', looks ?? 'the service was not asked')];
  if (looks.length === 0) return [skipped('alarm.none')];
  return looks.map(judgeTestAlarm).sort((a, b) => RANK[a.verdict] - RANK[b.verdict]);
}

const RANK = { failure: 0, warning: 1, ok: 2, skipped: 3 } as const;

/** Judges the result of one test alarm. */
export function judgeTestAlarm({ bridge, host, outcome }: TestAlarmResult): Outcome {
  const about = `${bridge} (${host})`;
  switch (outcome.kind) {
    case 'delivered':
      return good(`${about}: taken in ${outcome.ms.toFixed(0)} ms`);
    case 'refused': {
      const { status } = outcome;
      return bad(status === 401 || status === 403 ? 'alarm.login' : 'alarm.refused', `${about}: ${status}`);
    }
    case 'unreached':
      return bad('alarm.unreached', `${about}: ${outcome.reason}`);
    case 'waiting':
      return bad('alarm.waiting', `${about}: not sent within ${Math.round(outcome.waitedMs / 1_000)} s`);
    case 'notStored':
      return bad('alarm.notStored', `${about}: ${outcome.reason}`);
    case 'dropped':
      return skipped('alarm.dropped');
    case 'notTaken':
      return bad('alarm.notTaken', `${about}: ${outcome.reason}`);
    case 'unmarked':
      return { ...skipped('alarm.unmarked'), found: `${about}: ${outcome.reason}` };
    case 'byCall':
      return { ...skipped('alarm.byCall'), found: `${about}: reached by a call` };
  }
}
