import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { type SessionOpening, SessionTrace } from '#appliance/kernel/session-trace.ts';
import { SessionRecorder } from '#appliance/record/index.ts';
import { type TestRecords, testRecords } from './test-records.ts';

const BEGAN_MS = 1_770_000_000_000;

/** A recorder on a clock of its own. */
export function recorderRoom(records: TestRecords = testRecords(), beganMs = BEGAN_MS) {
  let monoMs = 0;
  const clock = { wallMs: () => beganMs + monoMs, monoMs: () => monoMs };
  const defects: unknown[] = [];
  const timers = new EngineTimers({ clock }, (cause) => defects.push(cause));
  const recorder = new SessionRecorder({
    ...{ clock, timers, log: () => undefined, sink: records },
    configRevision: () => 3,
    program: '1.2.3',
  });
  let made = 0;
  return {
    records,
    recorder,
    defects,
    clock,
    trace: (id = `trace-${++made}`) => new SessionTrace(id, clock.wallMs, recorder),
    /** A session that is opened. */
    session(opening: SessionOpening) {
      const trace = new SessionTrace(`trace-${++made}`, clock.wallMs, recorder);
      trace.open(opening);
      return trace;
    },
    after(ms: number): void {
      const untilMs = monoMs + ms;
      for (;;) {
        const dueMs = timers.nextDueMs;
        if (dueMs === undefined || dueMs > untilMs) break;
        monoMs = Math.max(monoMs, dueMs);
        timers.advance(monoMs);
      }
      monoMs = untilMs;
    },
  };
}
