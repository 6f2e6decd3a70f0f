import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPrompts, PromptFetch, PromptStore } from '#appliance/io/prompt/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';
import type { ReplicatedPromptFile } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { sine, wavOf } from './sound.ts';

type Row = Result<ReplicatedPromptFile, Failure<'notFound' | 'unreachable'>>;

let folder: string;
let prompts: Prompts;
let store: PromptStore;
const bytes = wavOf(sine(1_000, 0.2, 8_000), 8_000);
const row = {
  name: 'hello.wav',
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
  format: 'wav' as const,
};
const wanted = new AbortController().signal;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-fetch-'));
  prompts = createPrompts({ voices: { espeak: null } });
  store = new PromptStore(folder, prompts);
  // The thread takes longer to start than a caller waits for a file.
  await prompts.voices();
});
afterAll(async () => {
  await prompts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A control plane that answers this, and counts what it is asked. */
function source(answer: () => Promise<Row>) {
  const asked = { rows: 0, bytes: 0, closed: 0 };
  const open = () => ({
    row: async () => {
      asked.rows++;
      return await answer();
    },
    save: async (_: unknown, path: string) => {
      asked.bytes++;
      writeFileSync(path, bytes);
      return ok(null);
    },
    close: async () => void asked.closed++,
  });
  return { asked, open };
}

it('brings a file that the control plane has, once for all who want it', async () => {
  const { asked, open } = source(async () => ok(row));
  const fetch = new PromptFetch(store, open);
  const [one, other] = await Promise.all([
    fetch.fetch('hello.wav', wanted),
    fetch.fetch('hello.wav', wanted),
  ]);
  expect([one, other]).toEqual([ok(store.pathOf(row)), ok(store.pathOf(row))]);
  expect(readFileSync(store.pathOf(row)).equals(bytes)).toBe(true);
  expect(asked).toEqual({ rows: 1, bytes: 1, closed: 1 });
  expect(await fetch.fetch('hello.wav', wanted)).toEqual(ok(store.pathOf(row)));
  expect(asked).toEqual({ rows: 2, bytes: 1, closed: 2 });
});

it.each<[string, () => Promise<Row>, string, RegExp]>([
  [
    'has none',
    async () => fail('notFound', 'no'),
    'NotFound',
    /here or at the control plane; upload it first/,
  ],
  ['cannot be asked', async () => fail('unreachable', 'no route'), 'Unreachable', /no route/],
  ['says nothing', () => new Promise(() => undefined), 'Late', /did not come .* in time/],
])('says so when the control plane %s', async (_, answer, code, reason) => {
  const fetch = new PromptFetch(store, source(answer).open, 50);
  const fetched = await fetch.fetch('x.wav', wanted);
  expect(fetched).toMatchObject({ ok: false, error: { code } });
  expect(!fetched.ok && fetched.error.reason).toMatch(reason);
});

it('sends no request while the machine is no host of a site, and gives up for a caller that has left', async () => {
  const alone = new PromptFetch(store, () => undefined);
  expect(await alone.fetch('x.wav', wanted)).toMatchObject({ ok: false, error: { code: 'NotFound' } });
  const fetch = new PromptFetch(store, source(() => new Promise(() => undefined)).open);
  const aborted = AbortSignal.abort();
  expect(await fetch.fetch('x.wav', aborted)).toMatchObject({ ok: false, error: { code: 'Stopped' } });
});
