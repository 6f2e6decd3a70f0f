import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';

const carillon = fileURLToPath(new URL('../../../installer/carillon.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-tones-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [carillon, 'tones', ...words], {
    encoding: 'utf8',
  });
  return {
    status,
    stderr,
    lines:
      stdout.trim() === ''
        ? []
        : stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
  };
};

describe('carillon tones', () => {
  it('prints a line for each digit and tone', () => {
    const digits = dtmf('12');
    if (!digits.ok) throw new Error(digits.error.reason);
    const file = join(folder, 'call.wav');
    writeFileSync(file, writeWav([render([...digits.value, tone(1_400, 100)])]));
    const { status, lines } = run(file, '--json');
    expect(status).toBe(0);
    expect(lines).toMatchObject([{ digit: '1' }, { digit: '2' }, { frequency: 1_400 }]);
    expect(run(file, '--profile', 'ivr').lines).toHaveLength(2);
  });

  it('says what is wrong, and ends with its code', () => {
    const file = join(folder, 'four.wav');
    writeFileSync(file, 'abcd');
    const wrong = [
      run(file),
      run(join(folder, 'gone.wav')),
      run(folder),
      run(file, '--profile', 'loud'),
      run(),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([65, 65, 65, 64, 64]);
    const [damaged, lost, place, profile] = wrong.map(({ stderr }) => stderr);
    expect(damaged).toMatch(/four\.wav: The file is no RIFF WAVE file\. Convert it first: sox/);
    expect(lost).toMatch(/There is no file .*gone\.wav/);
    expect(place).toMatch(/is no file; name a WAV file/);
    expect(profile).toMatch(/Allowed choices are alarm, ivr/);
  });
});
