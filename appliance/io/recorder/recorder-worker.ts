import { mkdirSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { fail, ok } from '#shared/result.ts';
import type { RecorderEvent, RecordingId, RecordingResult } from '../../media/recording/index.ts';
import { DiskGuard } from './disk-guard.ts';
import { completePart, leftovers } from './leftover.ts';
import { Mp3Encoders } from './mp3-coder.ts';
import type {
  RecorderAnswer,
  RecorderCommand,
  RecorderReport,
  RecorderThreadSetting,
} from './recorder-message.ts';
import { codeOf, Recording } from './recording.ts';
import { DiskSlow } from './sound-file.ts';
import { storeCopy } from './store-copy.ts';

/*
 * Entry of the recorder's thread.
 *
 *   every 100 ms   take what the rings hold, encode            (a ring holds 2 s)
 *   every 1 s      append to the files, patch their heads
 *   every 5 s      fsync; look how much of the disk is free
 */
const PUMP_MS = 100;
const FLUSH_PUMPS = 10;
const SYNC_PUMPS = 50;

const port = parentPort;
if (port === null) throw new Error('recorder-worker.ts runs as a worker thread only');
const { folder, leastFreeBytes, mp3Wasm } = workerData as RecorderThreadSetting;
const report = (message: RecorderReport): void => port.postMessage(message);
const tell = (event: RecorderEvent): void => report({ kind: 'event', event });

const running = new Map<RecordingId, Recording>();
/** Names taken while their files are being opened. */
const opening = new Set<RecordingId>();
let pumps = 0;

mkdirSync(folder, { recursive: true, mode: 0o750 });
const guard = new DiskGuard(folder, leastFreeBytes);
const mp3 = await Mp3Encoders.load(mp3Wasm);
await watchDisk();
for (const file of await leftovers(folder)) {
  try {
    tell({ kind: 'interrupted', ...(await completePart(folder, file)) });
  } catch (thrown) {
    tell({ kind: 'unreadable', file, reason: String(thrown) });
  }
}

async function watchDisk(): Promise<void> {
  const change = await guard.look();
  if (change !== undefined) tell({ kind: 'diskPressure', ...change });
}

function pump(): void {
  pumps++;
  for (const [id, recording] of running) {
    try {
      recording.pump();
    } catch (thrown) {
      void give(id, recording, thrown);
      continue;
    }
    if (pumps % FLUSH_PUMPS === 0) {
      recording.flush(pumps % SYNC_PUMPS === 0).catch((thrown) => give(id, recording, thrown));
    }
  }
  if (pumps % SYNC_PUMPS === 0) void watchDisk();
}

/** The disk refused: what is there is kept, and the recording is over. */
async function give(id: RecordingId, recording: Recording, thrown: unknown): Promise<void> {
  if (running.get(id) !== recording) return;
  running.delete(id);
  tell({ kind: 'failed', recording: id, ...(await salvaged(recording, thrown)) });
}

async function salvaged(recording: Recording, thrown: unknown) {
  const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(thrown));
  const reason = full ? 'diskFull' : thrown instanceof DiskSlow ? 'diskSlow' : 'diskFailed';
  const detail = String(thrown);
  try {
    return { reason, detail, result: await recording.salvage() } as const;
  } catch (again) {
    return { reason, detail: `${detail}; then ${String(again)}` } as const;
  }
}

async function answerTo(command: RecorderCommand): Promise<RecorderAnswer> {
  switch (command.kind) {
    case 'start':
      return start(command.setting);
    case 'store':
      return storeCopy(command.setting, folder, mp3);
    case 'close':
      for (const id of running.keys()) await stop(id);
      return ok(undefined);
    default: {
      const recording = running.get(command.recording);
      if (recording === undefined) return unknown(command.recording);
      if (command.kind === 'stop') return stop(command.recording);
      if (command.kind === 'mark') return ok(recording.mark(command.label));
      if (command.kind === 'cancel') {
        running.delete(command.recording);
        await recording.cancel();
      } else recording[command.kind]();
      return ok(undefined);
    }
  }
}

const unknown = (id: RecordingId) => fail('Unknown' as const, `No recording ${id} is running.`);

async function start(
  setting: Extract<RecorderCommand, { kind: 'start' }>['setting'],
): Promise<RecorderAnswer> {
  const id = setting.recording;
  if (running.has(id) || opening.has(id)) return fail('Refused', `A recording ${id} is running already.`);
  opening.add(id);
  try {
    await watchDisk();
    if (guard.pressed) {
      return fail(
        'DiskPressure',
        `Less than ${leastFreeBytes} bytes are free in ${folder}: nothing new is recorded.`,
      );
    }
    const opened = await Recording.open(setting, { folder, mp3 });
    if (!opened.ok) return opened;
    running.set(id, opened.value);
    return ok(undefined);
  } finally {
    opening.delete(id);
  }
}

async function stop(id: RecordingId): Promise<RecorderAnswer> {
  const recording = running.get(id);
  if (recording === undefined) return unknown(id);
  running.delete(id);
  let result: RecordingResult;
  try {
    result = await recording.stop();
  } catch (thrown) {
    tell({ kind: 'failed', recording: id, ...(await salvaged(recording, thrown)) });
    return fail('Failed', `Recording ${id} could not be completed: ${String(thrown)}`);
  }
  return ok(result);
}

const beat = setInterval(pump, PUMP_MS);
port.on('message', async ({ id, command }: { readonly id: number; readonly command: RecorderCommand }) => {
  let answer: RecorderAnswer;
  try {
    answer = await answerTo(command);
  } catch (thrown) {
    answer = fail('Failed', String(thrown));
  }
  report({ kind: 'answer', id, answer });
  if (command.kind === 'close') {
    clearInterval(beat);
    port.close();
  }
});
report({ kind: 'ready' });
