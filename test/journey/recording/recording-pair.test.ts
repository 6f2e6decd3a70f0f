import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';

/*
 * A recording is found wherever it is asked for: at the host that made it, at the other host of the site, at the cloud. Cloud and
 * both hosts are processes of their own; each is away once.
 */
const WITHIN_MS = 120_000;
const SOUND = Buffer.from(wavOf(sine(700, 2, 8_000), 8_000));

let site: SitePair;
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
beforeAll(async () => {
  site = await openSitePair();
}, 240_000);
afterAll(async () => {
  await dispatcher.close();
  await site?.close();
}, 60_000);

async function get(base: string, name: string): Promise<{ status: number; body: Buffer }> {
  const headers = { authorization: `Bearer ${site.token}` };
  const url = `${base}/mediaservice/${site.domain}/promptfile/${name}`;
  const answer = await request(url, { headers, ...(base.startsWith('https') && { dispatcher }) });
  return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
}
const at = ({ webPort }: PairHost) => `https://127.0.0.1:${webPort}`;
/** The whole file, or the status and the sentence of the refusal. */
async function received(base: string, name: string): Promise<string> {
  const { status, body } = await get(base, name);
  if (status === 200) return body.equals(SOUND) ? 'the recording' : `${body.length} other bytes`;
  return `${status} ${(JSON.parse(body.toString()) as { reason: string }).reason}`;
}

/** A recording of a call that has ended; `card`: with all that the host knows of it. */
function records({ folder }: PairHost, name: string, card?: Partial<ShelvedRecording>): void {
  const recordings = join(folder, 'recording');
  mkdirSync(join(recordings, '.known'), { recursive: true });
  writeFileSync(join(recordings, name), SOUND);
  if (card !== undefined) writeFileSync(join(recordings, '.known', `${name}.json`), JSON.stringify(card));
}

it('is found at the other host and at the cloud, without the cloud, and when its host is lost', {
  timeout: 4 * WITHIN_MS,
}, async () => {
  const [one, two] = site.hosts;
  records(one, 'said.wav');
  expect(await received(at(one), 'said.wav')).toBe('the recording');
  expect(await received(at(two), 'said.wav')).toBe('the recording');
  expect(await received(site.api, 'said.wav')).toBe('the recording');
  expect(await received(at(two), 'none.wav')).toMatch(/^404 .*none\.wav/);

  await site.cloud.stop();
  expect(await received(at(two), 'said.wav')).toBe('the recording');
  expect(await received(at(two), 'none.wav')).toMatch(/^503 .*Check the line/);
  await site.cloud.start();

  await one.process.stop();
  records(one, 'kept.wav', {
    recordingId: '0b0f6c1e-6f0e-4c7e-9b39-0c3c1a1f2a77',
    fileName: 'kept.wav',
    expected: ['kept.wav'],
    report: { sessionId: 's-1', connectionId: 'c-1', traceId: 't-1' },
    startedAtMs: Date.now() - 60_000,
    endedAtMs: Date.now() - 58_000,
    durationMs: 2_000,
    degraded: false,
    marks: [],
    event: 'recordingSuccessful',
    files: [{ fileName: 'kept.wav', sizeBytes: SOUND.length, sha256: await sha256(SOUND) }],
    deliveries: [],
    reported: true,
    uploaded: false,
  });
  await one.process.start();
  const stored = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${site.token}` };
    const list = await fetch(`${site.api}/mediaservice/${site.domain}/promptfile`, { headers });
    return (await list.text()).includes('kept.wav');
  };
  await expect.poll(stored, { timeout: WITHIN_MS, interval: 200 }).toBe(true);
  await one.process.stop();
  expect(await received(at(two), 'kept.wav')).toBe('the recording');
});

const sha256 = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
