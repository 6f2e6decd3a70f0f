import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';
import { fail, ok } from '#shared/result.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { testSound } from '#test/support/sound.ts';

/* `recordingReady` comes when the file can be fetched at both of its addresses, or says that it cannot yet. */

type Upload = NonNullable<SoundAdapters['upload']>;
let folder: string;
let threads: ReturnType<typeof testSound>;
let appliance: Awaited<ReturnType<typeof testAppliance>>;
let uploads: { readonly fileName: string; readonly answer: (sent: Awaited<ReturnType<Upload>>) => void }[];
let reachesCloud: boolean;

const SITE = expect.stringMatching(/\/mediaservice\/care\.example\/promptfile\/call\.wav$/) as string;
const CLOUD = 'https://cloud.example/mediaservice/care.example/promptfile/call.wav';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recording-ready-'));
  threads = testSound({ folder });
  uploads = [];
  reachesCloud = false;
  await open();
});

async function open(): Promise<void> {
  const upload: Upload = ({ fileName }) =>
    appliance.outside(
      new Promise((answer) => {
        uploads.push({ fileName, answer });
      }),
    );
  const sound = { ...threads.adapters, upload, reachesCloud: () => reachesCloud };
  appliance = await testAppliance({ folder, sound });
  appliance.answerBy(() => answered({}));
  appliance.bridge();
  appliance.tenant.put('platform', 'platform', { id: 'platform', publicUrl: 'https://cloud.example' });
}
afterEach(async () => {
  await appliance.close(true);
  await threads.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A recording that has ended and is not reported, as a crash leaves it; the host starts. */
async function ended(words: 'media' | 'callrecording' = 'media'): Promise<void> {
  mkdirSync(threads.recordings, { recursive: true });
  writeFileSync(join(threads.recordings, 'call.wav'), 'sound');
  await threads.adapters.recordingStore.put({
    recordingId: 'r-1',
    fileName: 'call.wav',
    expected: ['call.wav'],
    report: { dest: 'bridge bridge-1', words, sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' },
    startedAtMs: appliance.clock.wallMs() - 5_000,
    endedAtMs: appliance.clock.wallMs(),
    durationMs: 5_000,
    degraded: false,
    marks: [],
    event: 'recordingSuccessful',
    files: [{ fileName: 'call.wav', sizeBytes: 5, sha256: 'a'.repeat(64) }],
    deliveries: [],
    reported: false,
    uploaded: false,
  });
  appliance.runtime.restore();
  await appliance.quiet();
}

const reported = () =>
  appliance.posted.filter(({ call }) => call.path === '/recordingReady').map(({ body }) => body);
const shelved = async (): Promise<ShelvedRecording | undefined> =>
  (await threads.adapters.recordingStore.all())[0];
/** Time passes until this is so. */
async function becomes(is: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await is())) {
    if (Date.now() > deadline) throw new Error('it never came');
    await appliance.after(10);
  }
}

it('waits until the control plane has the file, and names both addresses', async () => {
  await ended();
  await becomes(() => uploads.length === 1);
  await appliance.after(5_000);
  expect(reported()).toEqual([]);
  uploads[0]?.answer(ok(null));
  await becomes(() => reported().length > 0);
  expect(reported()).toMatchObject([{ siteUrl: SITE, cloudUrl: CLOUD, cloudReady: true }]);
  await becomes(async () => (await shelved())?.reported === true);
  expect(await shelved()).toMatchObject({ uploaded: true, reported: true });
  // It is not sent a second time.
  await appliance.after(60_000);
  expect(uploads).toHaveLength(1);
});

it('does not wait without WAN: it says that the control plane has no file yet', async () => {
  await ended();
  await becomes(() => uploads.length === 1);
  uploads[0]?.answer(fail('unreachable', 'no line'));
  await becomes(() => reported().length > 0);
  expect(reported()).toMatchObject([{ siteUrl: SITE, cloudUrl: CLOUD, cloudReady: false }]);
  await becomes(async () => (await shelved())?.reported === true);
  await appliance.after(30_000);
  expect(uploads).toHaveLength(2);
  uploads[1]?.answer(ok(null));
  await becomes(async () => (await shelved())?.uploaded === true);
  expect(await shelved()).toMatchObject({ uploaded: true, reported: true });
  expect(reported()).toHaveLength(1);
});

it('waits 10 s for a long file: the control plane passes it through while it reaches the host', async () => {
  reachesCloud = true;
  await ended();
  await becomes(() => uploads.length === 1);
  await appliance.after(9_000);
  expect(reported()).toEqual([]);
  await appliance.after(2_000);
  expect(reported()).toMatchObject([{ siteUrl: SITE, cloudUrl: CLOUD, cloudReady: true }]);
  uploads[0]?.answer(ok(null));
  await becomes(async () => (await shelved())?.uploaded === true);
  expect(await shelved()).toMatchObject({ uploaded: true, reported: true });
});

it('names no address at a control plane that has another file of that name', async () => {
  await ended();
  await becomes(() => uploads.length === 1);
  uploads[0]?.answer(fail('refused', 'another prompt file has the name call.wav'));
  await becomes(() => reported().length > 0);
  expect(reported()).toMatchObject([{ siteUrl: SITE, cloudReady: false }]);
  expect(reported()[0]).not.toHaveProperty('cloudUrl');
});

it('a recording of a recording service waits for nothing: the file stays at the site until it is stored by command', async () => {
  reachesCloud = true;
  await ended('callrecording');
  await becomes(() => reported().length > 0);
  expect(reported()).toMatchObject([
    { event: 'RECORDINGREADY', siteUrl: SITE, cloudUrl: CLOUD, cloudReady: true },
  ]);
  expect(uploads).toEqual([]);
});

it('a host that ends while it waits reports at its next start, once', async () => {
  await ended();
  await becomes(() => uploads.length === 1);
  expect(await shelved()).toMatchObject({ reported: false });
  await appliance.close(true);
  await open();
  appliance.runtime.restore();
  await becomes(() => uploads.length === 2);
  uploads[1]?.answer(ok(null));
  await becomes(() => reported().length > 0);
  await appliance.after(20_000);
  expect(reported()).toHaveLength(1);
});
