import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import type {
  SubjectJournal,
  SubjectPosition,
  SubjectSessions,
  SubjectStep,
  SubjectStepRequest,
} from '../../delivery/outbox/index.ts';
import type { ShelvedRecording } from '../../media/recording/index.ts';

/** The data of the journal about a subject, before anything is done with them. */
export interface FoundSubject extends SubjectSessions {
  /** Sessions that are not over. */
  readonly open: readonly string[];
}

export interface WalkPorts {
  readonly journal: SubjectJournal & {
    session(id: string): { readonly traceId: string; readonly closed: boolean } | undefined;
  };
  readonly nowMs: () => number;
}

const BEGIN: SubjectPosition = { table: 0, afterRow: 0 };

/** Goes through the whole journal, step by step, with commits of alarms in between. */
export async function* walk(
  { journal }: WalkPorts,
  request: Omit<SubjectStepRequest, 'position'>,
  from: SubjectPosition = BEGIN,
): AsyncGenerator<SubjectStep> {
  let position: SubjectPosition | undefined = from;
  while (position !== undefined) {
    const step: SubjectStep = await journal.subjectStep({ ...request, position });
    yield step;
    position = step.next;
  }
}

/** The sessions that name it, with their traces: what belongs to them is its data too, whether it names it or not. */
export async function findSubject(ports: WalkPorts, subject: DataSubject): Promise<FoundSubject> {
  const sessions = new Set<string>();
  const traces = new Set<string>();
  const open = new Set<string>();
  const request = { work: 'find', subject, sessions: [], traces: [], beforeMs: ports.nowMs() + 1 } as const;
  for await (const { found } of walk(ports, request))
    for (const { sessionId, traceId, open: isOpen } of found) {
      sessions.add(sessionId);
      if (traceId !== undefined) traces.add(traceId);
      if (isOpen) open.add(sessionId);
    }
  // An event names it and the session's own row need not.
  for (const id of sessions) {
    const own = ports.journal.session(id);
    if (own === undefined) continue;
    traces.add(own.traceId);
    if (!own.closed) open.add(id);
  }
  return { sessions: [...sessions], traces: [...traces], open: [...open] };
}

/** Whether the recording is of one of the sessions, or what is known of it names the subject. */
export function recordingOf(
  subject: DataSubject,
  { sessions, traces }: SubjectSessions,
): (recording: ShelvedRecording) => boolean {
  const { isIn } = subjectMatcher(subject);
  const known = new Set([...sessions, ...traces]);
  return (recording) =>
    known.has(recording.report.sessionId) ||
    known.has(recording.report.traceId) ||
    isIn(JSON.stringify(recording));
}
