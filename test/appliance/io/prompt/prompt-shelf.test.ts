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
import { createPrompts, PromptShelf } from '#appliance/io/prompt/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';
import { fail, ok } from '#shared/result.ts';
import { sine, wavOf } from './sound.ts';

let folder: string;
let prompts: Prompts;
let shelf: PromptShelf;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-shelf-'));
  prompts = createPrompts({ voices: { espeak: null } });
  shelf = new PromptShelf(folder, prompts);
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
    expect(await shelf.bring([row], save)).toEqual(ok(null));
    expect(readFileSync(shelf.pathOf(row)).equals(hello)).toBe(true);
    expect(await shelf.bring([row], undefined)).toEqual(ok(null));
  });

  it('that do not decode are refused with the name of the file, and leave nothing', async () => {
    const { row, save } = file('broken.wav', Buffer.from('RIFF....WAVE and no sound'));
    expect(await shelf.bring([row], save)).toMatchObject({
      ok: false,
      error: {
        code: 'promptFile',
        path: '/promptfile/broken.wav',
        reason: expect.stringContaining('broken.wav'),
      },
    });
    expect(existsSync(shelf.pathOf(row))).toBe(false);
  });

  it('that cannot be fetched now are asked for later; those with another hash are refused', async () => {
    const { row } = file('later.wav', Buffer.from('x'));
    expect(await shelf.bring([row], async () => fail('unreachable', 'no way'))).toMatchObject({
      error: { code: 'unreachable', reason: 'no way' },
    });
    expect(await shelf.bring([row], undefined)).toMatchObject({ error: { code: 'unreachable' } });
    expect(await shelf.bring([row], async () => fail('damaged', 'another hash'))).toMatchObject({
      error: { code: 'promptFile', path: '/promptfile/later.wav' },
    });
  });

  it('that nobody names go after a week', async () => {
    const [kept, gone] = [
      file('kept.wav', wavOf(sine(500, 0.2, 8_000), 8_000)),
      file('gone.wav', wavOf(sine(700, 0.2, 8_000), 8_000)),
    ];
    await shelf.bring([kept.row], kept.save);
    await shelf.bring([gone.row], gone.save);
    const old = Date.now() / 1_000 - 8 * 86_400;
    for (const { row } of [kept, gone]) utimesSync(shelf.pathOf(row), old, old);
    shelf.prune([kept.row], Date.now());
    expect(readdirSync(folder)).toContain(kept.row.sha256);
    expect(readdirSync(folder)).not.toContain(gone.row.sha256);
  });
});
