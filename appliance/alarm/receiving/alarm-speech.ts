import type { JournalPorts, SessionRow } from '../../delivery/outbox/index.ts';
import { describeDefect } from '../../kernel/defect.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { PeopleEffect, VoiceEffect } from '../session/index.ts';
import type { ActiveAlarm } from './active-alarm.ts';

/** Carries calls of alarms. */
export interface AlarmSpeech {
  perform(known: ActiveAlarm, effect: VoiceEffect): void;
}

/** Carries the calls of people for whom an alarm waits. */
export interface PeopleCalls {
  perform(known: ActiveAlarm, effect: PeopleEffect): void;
}

/** The alarm queue of the control plane, as this host knows it. */
export interface AlarmQueuePorts {
  /** The line to a control plane with an alarm queue is up. Absent: there is none. */
  readonly alarmQueueIsThere?: () => boolean;
}

/** Whether the session with the accept of a person is on the disk; without a row there is nothing to write. */
export async function acceptWritten(
  journal: JournalPorts['journal'],
  row: SessionRow | undefined,
  trace: SessionTrace,
): Promise<boolean> {
  if (row === undefined) return false;
  try {
    await journal.commit([{ kind: 'session', row }]);
    return true;
  } catch (cause) {
    trace.add('note', { text: `the accept was not written: ${describeDefect(cause)}` });
    return false;
  }
}
