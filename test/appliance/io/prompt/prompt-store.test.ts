import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrompts, PromptStore } from '#appliance/io/prompt/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';
import { fail, ok } from '#shared/result.ts';
import { sine, wavOf } from './sound.ts';

let folder: string;
let prompts: Prompts;
let recordingStore: PromptStore;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recordingStore-'));
  prompts = createPrompts({ voices: { espeak: null } });
  recordingStore = new PromptStore(folder, prompts);
});
afterAll(async () => {
  await prompts.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, bytes: Uint8Array) => ({
  row: {
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    format: 'wav' as const,
  },
  save: async (_: unknown, path: string) => {
    writeFileSync(path, bytes);
    return ok(null);
  },
});

describe('bytes of prompt files', () => {
  it('are fetched once, and stand under their hash', async () => {
    const hello = wavOf(sine(1_000, 0.5, 8_000), 8_000);
    const { row, save } = file('hello.wav', hello);
    expect(await recordingStore.bring([row], save)).toEqual(ok(null));
    expect(readFileSync(recordingStore.pathOf(row)).equals(hello)).toBe(true);
    expect(await recordingStore.bring([row], undefined)).toEqual(ok(null));
  });

  it('that do not decode are refused with the name of the file, and leave nothing', async () => {
    const { row, save } = file('broken.wav', Buffer.from('RIFF....WAVE and no sound'));
    expect(await recordingStore.bring([row], save)).toMatchObject({
      ok: false,
      error: {
        code: 'promptFile',
        path: '/promptfile/broken.wav',
        reason: expect.stringContaining('broken.wav'),
      },
    });
    expect(existsSync(recordingStore.pathOf(row))).toBe(false);
  });

  it('that cannot be fetched now are asked for later; those with another hash are refused', async () => {
    const { row } = file('later.wav', Buffer.from('x'));
    expect(await recordingStore.bring([row], async () => fail('unreachable', 'no way'))).toMatchObject({
      error: { code: 'unreachable', reason: 'no way' },
    });
    expect(await recordingStore.bring([row], undefined)).toMatchObject({ error: { code: 'unreachable' } });
    expect(await recordingStore.bring([row], async () => fail('damaged', 'another hash'))).toMatchObject({
      error: { code: 'promptFile', path: '/promptfile/later.wav' },
    });
  });

  const age = (row: { readonly sha256: string }, days: number): void => {
    const then = Date.now() / 1_000 - days * 86_400;
    utimesSync(recordingStore.pathOf(row), then, then);
  };

  it('go a week after they were named last, however old they are', async () => {
    const [kept, lost] = [
      file('kept.wav', wavOf(sine(500, 0.2, 8_000), 8_000)),
      file('gone.wav', wavOf(sine(700, 0.2, 8_000), 8_000)),
    ];
    for (const { row, save } of [kept, lost]) {
      await recordingStore.bring([row], save);
      age(row, 30);
    }
    recordingStore.prune([kept.row, lost.row], Date.now());
    recordingStore.prune([kept.row], Date.now());
    expect(readdirSync(folder)).toContain(lost.row.sha256);
    age(lost.row, 8);
    recordingStore.prune([kept.row], Date.now());
    expect(readdirSync(folder)).toContain(kept.row.sha256);
    expect(readdirSync(folder)).not.toContain(lost.row.sha256);
    expect(
      await prompts.prepare({ kind: 'file', path: recordingStore.pathOf(kept.row) }, AbortSignal.any([])),
    ).toMatchObject({
      ok: true,
    });
  });

  it('take a bounded room when they are unnamed: the one that was named longest ago goes first', async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const all = [300, 400, 600, 800].map((hz, index) => ({
      ...file(`${hz}.wav`, wavOf(sine(hz, 0.2, 8_000), 8_000)),
      days: index,
    }));
    for (const { row, save, days } of all) {
      await recordingStore.bring([row], save);
      age(row, days);
    }
    const [newest, second, third, named] = all.map(({ row }) => row);
    const size = newest?.size ?? 0;
    recordingStore.prune(named === undefined ? [] : [named], Date.now(), 2 * size);
    const left = readdirSync(folder);
    expect(left).toEqual(expect.arrayContaining([newest?.sha256, second?.sha256, named?.sha256]));
    expect(left).not.toContain(third?.sha256);
  });
});
