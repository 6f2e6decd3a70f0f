import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openRecordStore } from '#appliance/io/sqlite/record-store/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { SessionRecorder } from '#appliance/record/index.ts';

const PROGRAM = fileURLToPath(new URL('./killed-host.ts', import.meta.url));

/** Runs a host until its starts are on the disk, and ends it without warning. */
async function killed(file: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let ids: readonly string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    ids = line.split(' ');
    child.kill('SIGKILL');
  }
  await ended;
  return ids;
}

it('after kill -9 a call is interrupted, and an alarm goes on under its record', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-killed-'));
  const file = join(folder, 'record.db');
  const [call = '', alarm = ''] = await killed(file);
  const log = (): void => undefined;
  const sink = await openRecordStore({ file, quotaBytes: 64 * 1024 * 1024, log });
  let monoMs = 0;
  const clock = { wallMs: () => Date.now(), monoMs: () => monoMs };
  const timers = new EngineTimers({ clock }, () => undefined);
  const recorder = new SessionRecorder({ clock, timers, log, sink, configRevision: () => 2, program: '2' });
  recorder.recall();
  const again = new SessionTrace('trace of the alarm', clock.wallMs, recorder);
  again.open({ kind: 'alarm', sessionId: 'alarm', recordId: alarm, restarts: 1 });
  recorder.interrupted(() => false);
  again.add('sessionEnded', { outcome: 'cleared' });
  monoMs = 1_000;
  timers.advance(monoMs);
  expect(await sink.byId(call)).toMatchObject({
    kind: 'call',
    result: 'interrupted',
    from: 'anna',
    program: '1',
  });
  expect(await sink.byId(alarm)).toMatchObject({
    ...{ kind: 'alarm', result: 'done', from: 'anna', restarts: 1, program: '2' },
  });
  expect(sink.running()).toEqual([]);
  await sink.close();
  rmSync(folder, { recursive: true });
});
