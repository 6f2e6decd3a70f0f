import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDiskSpace } from '#appliance/compose/disk-space.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import type { OpenJournal } from '#appliance/io/sqlite/index.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';

const FILE_BYTES = 2_000_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'room-'));
  mkdirSync(join(folder, 'recording'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recordingStore = () => openRecordingStore(join(folder, 'recording'));
const names = () =>
  readdirSync(join(folder, 'recording'))
    .filter((name) => name.endsWith('.wav'))
    .sort();

async function shelved(name: string, endedAtMs: number, more: Partial<ShelvedRecording> = {}): Promise<void> {
  const fileName = `${name}.wav`;
  writeFileSync(join(folder, 'recording', fileName), name);
  await recordingStore().put({
    recordingId: name,
    fileName,
    expected: [fileName],
    report: { sessionId: 's', connectionId: 'c', traceId: 't' },
    startedAtMs: endedAtMs - 1,
    endedAtMs,
    durationMs: 1,
    degraded: false,
    marks: [],
    event: 'recordingSuccessful',
    files: [{ fileName, sizeBytes: FILE_BYTES, sha256: '' }],
    deliveries: [],
    reported: true,
    uploaded: true,
    ...more,
  });
}

/** A disk on which each recording that stands there takes a fiftieth. */
const look = (otherwisePct: number) =>
  openDiskSpace(folder, {
    recordingStore: recordingStore(),
    journal: {
      clean: async () => 0,
      waiting: () => ({ alarm: 0, svc: 0, audit: 0, usage: 0 }),
      waitingBytes: async () => ({ alarm: 0, svc: 0, audit: 0, usage: 0 }),
    } as unknown as OpenJournal,
    startTimer: () => () => undefined,
    log: () => undefined,
    disk: async () => ({
      totalBytes: 50 * FILE_BYTES,
      freeBytes: (50 - otherwisePct / 2 - names().length) * FILE_BYTES,
    }),
  }).look();

it('at 90 % the oldest recordings that the cloud has go, and no more than it takes', async () => {
  await shelved('oldest', 1);
  await shelved('newest', 9);
  await shelved('older', 2);
  await shelved('middle', 5);
  await look(86);
  expect(names()).toEqual(['newest.wav']);
});

it('data that the cloud has not yet stays, however old, and however full the disk', async () => {
  await shelved('lonely', 1, { uploaded: false });
  await shelved('known', 2);
  await look(97);
  expect(names()).toEqual(['lonely.wav']);
});

it('below 90 % nothing goes', async () => {
  await shelved('oldest', 1);
  await look(80);
  expect(names()).toEqual(['oldest.wav']);
});
