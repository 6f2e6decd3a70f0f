import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRecording } from '#appliance/compose/recording/index.ts';
import { answerRecording } from '#appliance/io/site-listener/recording-page.ts';
import { bearerName } from '#appliance/site/privacy/index.ts';
import { fail } from '#shared/result.ts';

let folder: string;
let noted: string[];
let broken: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-page-'));
  writeFileSync(join(folder, 'audit-1.wav'), 'sound');
  noted = [];
  broken = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = (method: string, fileName = 'audit-1.wav', token = 'good') =>
  answerRecording(
    new Request(`https://site.example/care.example/promptfile/${fileName}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    }),
    { domain: 'care.example', fileName },
    {
      refusalOf: async (given) => (given === 'good' ? undefined : 'no'),
      find: async (name) => {
        if (name === 'away.wav') return fail('unreachable', 'no line');
        const recorded = findRecording({
          recordingStore: {
            pathOf: (each) => (each === 'audit-1.wav' ? join(folder, each) : undefined),
          },
          peers: async () => undefined,
          cloud: () => undefined,
          random: () => new Uint8Array(16),
        });
        return await recorded(name);
      },
      noteRead: async (given, name) => {
        if (broken) throw new Error('disk full');
        noted.push(`${given} ${name}`);
      },
    },
  );

it('writes down who hears a recording before it is given out', async () => {
  const received = await ask('GET');
  expect(await received.text()).toBe('sound');
  expect(noted).toEqual(['good audit-1.wav']);
});

it('writes nothing down of those who hear nothing', async () => {
  expect((await ask('HEAD')).status).toBe(200);
  expect((await ask('GET', 'audit-1.wav', 'bad')).status).toBe(403);
  expect((await ask('GET', 'none.wav')).status).toBe(404);
  expect(noted).toEqual([]);
});

it('says no only when it has asked everywhere', async () => {
  const none = await ask('GET', 'none.wav');
  expect(await none.json()).toMatchObject({ success: false, error: { code: 'notFound' } });
  const away = await ask('GET', 'away.wav');
  expect(away.status).toBe(503);
  expect(await away.json()).toMatchObject({
    reason: expect.stringContaining('no line'),
    error: { code: 'hostUnreachable' },
  });
  expect(noted).toEqual([]);
});

it('gives nothing out that it cannot write down', async () => {
  broken = true;
  const refused = await ask('GET');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ success: false, error: { code: 'storageFailed' } });
});

it('names a bearer without its token', () => {
  const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k1' })).toString('base64url');
  expect(bearerName(`${head}.e30.c2ln`, () => 'x')).toBe('key:k1');
  expect(bearerName('crl_secret', () => 'abcdef0123456789ff')).toBe('token:abcdef0123456789');
  expect(bearerName('a.b.c', () => 'x')).toBe('key:unknown');
});
