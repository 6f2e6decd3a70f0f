import { openRecordStore } from '#appliance/io/sqlite/record-store/index.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { SessionRecorder } from '#appliance/record/index.ts';

/** A program of its own with an open call and an open alarm. It prints their records once the starts are on the disk. */
const [file = ''] = process.argv.slice(2);
const log = (): void => undefined;
const clock = { wallMs: () => Date.now(), monoMs: () => performance.now() };
const timers = openTimers({ clock, log });
const sink = await openRecordStore({ file, quotaBytes: 64 * 1024 * 1024, log });
const recorder = new SessionRecorder({ clock, timers, log, sink, configRevision: () => 1, program: '1' });
const ids = (['call', 'alarm'] as const).map((kind) =>
  new SessionTrace(`trace of the ${kind}`, clock.wallMs, recorder).open({
    kind,
    sessionId: kind,
    from: 'anna',
  }),
);
timers.advance(clock.monoMs() + 2_000);
await sink.flush();
process.stdout.write(`${ids.join(' ')}\n`);
setInterval(() => undefined, 60_000);
