import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRecording } from '#appliance/compose/recording/index.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import { answerRecording, recordingPath } from '#appliance/io/site-listener/recording-page.ts';

let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'carillon-store-'));
  mkdirSync(join(data, 'recording', '.known'), { recursive: true });
  mkdirSync(join(data, 'recording', 'desk'));
  writeFileSync(join(data, 'recording', 'call.wav'), 'sound');
  writeFileSync(join(data, 'recording', 'desk', 'call.wav'), 'sound');
  writeFileSync(join(data, 'recording', '.known', 'r-1.json'), '{}');
  writeFileSync(join(data, 'journal.db'), 'alarms');
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

it.each([
  ['call.wav', 200],
  ['desk%2Fcall.wav', 200],
  ['..%2Fjournal.db', 404],
  ['..%2F..%2F..%2F..%2Fetc%2Fpasswd', 404],
  ['%2Fetc%2Fpasswd', 404],
  ['.known%2Fr-1.json', 404],
  ['desk%2F..%2F..%2Fjournal.db', 404],
  ['call.wav%00', 404],
])('gives out recordings and no other file of the host: %s is %i', async (name, status) => {
  const url = new URL(`https://site.example/mediaservice/care.example/promptfile/${name}`);
  const path = recordingPath(url.pathname);
  expect(path).toBeDefined();
  const store = openRecordingStore(join(data, 'recording'));
  const answer = await answerRecording(
    new Request(url, { headers: { authorization: 'Bearer good' } }),
    path ?? { domain: '', fileName: '' },
    {
      refusalOf: async () => undefined,
      find: findRecording({
        recordingStore: store,
        peers: async () => undefined,
        cloud: () => undefined,
        random: () => new Uint8Array(16),
      }),
      noteRead: async () => undefined,
    },
  );
  expect(answer.status).toBe(status);
  await answer.body?.cancel();
});
