import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BorrowedRecordings } from '#appliance/compose/recording/index.ts';
import { recordingsOf } from '#appliance/compose/remote.ts';
import type { FoundRecording, RecordingStore, ShelvedRecording } from '#appliance/media/recording/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { ok } from '#shared/result.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recording-operation-'));
  writeFileSync(join(folder, 'a.wav'), 'some bytes');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const near: FoundRecording = { sizeBytes: 4, open: async () => ok(new Blob(['near']).stream()) };

/** The answer of a host with the recording `a.wav`, which the control plane has or not; another host has `near.wav`. */
const answerFor = async (fileName: string, uploaded: boolean): Promise<unknown> => {
  const recording = { uploaded, files: [{ fileName: 'a.wav' }] } as unknown as ShelvedRecording;
  const recordingStore = {
    all: async () => [recording],
    pathOf: (name: string) => (name === 'a.wav' ? join(folder, name) : undefined),
  } as unknown as RecordingStore;
  const peers = async (name: string, forCloud = false) =>
    forCloud && name === 'near.wav' ? near : undefined;
  const copies = new BorrowedRecordings(join(folder, 'copy'), {
    peers,
    cloud: () => undefined,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  const { 'recording.send': send } = recordingsOf(
    { recordingStore, copyOf: (...found) => copies.copy(...found) },
    {
      ...{ site: { identity: {} as HostIdentity }, peers: { recording: peers } },
      ...{ run: () => undefined, log: () => undefined },
    },
  );
  return await send?.({ args: { fileName }, by: 'user:ada' });
};

it('a recording of this host is found until the control plane has taken it', async () => {
  expect(await answerFor('a.wav', false)).toEqual({ ok: true, value: { size: 10 } });
  expect(await answerFor('a.wav', true)).toMatchObject({ ok: false, code: 'notFound' });
  expect(await answerFor('b.wav', false)).toMatchObject({ ok: false, code: 'notFound' });
});

it('a recording of another host of the site, which the control plane does not reach, is found through this one', async () => {
  expect(await answerFor('near.wav', false)).toEqual({ ok: true, value: { size: 4 } });
});
