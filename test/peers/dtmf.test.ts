import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_PROFILE, IVR_PROFILE } from '#appliance/media/dtmf/index.ts';
import { LAWS, through } from '../appliance/media/dtmf/digit-signal.ts';
import { faultOf, hearRows } from '../bench/dtmf/accuracy.ts';
import { ours, Spandsp } from '../bench/dtmf/ear.ts';
import { talk } from '../bench/dtmf/talk.ts';

/** A tenth of the table of `npm run bench dtmf`: 40 digits a row and law, four minutes of speech by fourteen voices. */
const SECONDS = 240;

let folder: string;
let spandsp: Spandsp;
/** spandsp's generator. */
let voice: string;
let spoken: Awaited<ReturnType<typeof talk>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-dtmf-'));
  spandsp = new Spandsp(folder);
  voice = join(folder, 'spandsp-voice');
  const source = join(import.meta.dirname, 'support/spandsp-voice.c');
  execFileSync('gcc', ['-O2', '-o', voice, source, '-lspandsp']);
  spoken = await talk(SECONDS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('DTMF compared with spandsp and multimon-ng on the same files', () => {
  it('hears every digit that it must, none that it must not, and no less than spandsp', () => {
    const under = spoken[0]?.samples ?? new Int16Array(0);
    const rows = hearRows(folder, spandsp, under, { count: 40, seed: 3 });
    expect(rows.flatMap((row) => faultOf(row, 0.05) ?? [])).toEqual([]);
    // The peers did listen: clean digits are heard by both.
    const [clean] = rows;
    expect(clean?.spandsp.hits).toBe(clean?.sent);
    expect(clean?.multimon.hits).toBeGreaterThan(0.9 * (clean?.sent ?? 0));
  });

  it.each([
    { level: -10, twist: 0, on: 50, off: 50 },
    { level: -30, twist: 0, on: 50, off: 50 },
    // Its own receiver ends at 4 dB.
    { level: -14, twist: 4, on: 40, off: 40, unheard: true },
    { level: -10, twist: -4, on: 100, off: 60 },
  ])("hears every digit of spandsp's own generator: %o", ({ level, twist, on, off, unheard: undetected }) => {
    const digits = '0123456789*#ABCD'.repeat(20);
    const sound = saidBySpandsp(digits, level, twist, on, off);
    for (const law of Object.values(LAWS)) {
      const samples = through(law, sound);
      const detected = [ALARM_PROFILE, IVR_PROFILE].map((profile) => ours(profile, { samples }));
      expect(detected).toEqual([digits, digits]);
      if (undetected !== true) expect(spandsp.hear([samples])[0]?.digits).toBe(digits);
    }
  });

  it.each(['alarm', 'ivr'] as const)('hears no digit in speech (%s)', (name) => {
    const profile = name === 'alarm' ? ALARM_PROFILE : IVR_PROFILE;
    const detected = spoken.flatMap(({ name: voice, samples }) => {
      const digits = ours(profile, { samples: through(LAWS.PCMA, samples) });
      return digits === '' ? [] : [`${voice}: ${digits}`];
    });
    expect(detected).toEqual([]);
  });
});

/** @param level of the low tone, dBm0 @param twist high minus low, dB @param on ms @param off ms */
function saidBySpandsp(digits: string, ...how: readonly [number, number, number, number]): Int16Array {
  const bytes = execFileSync(voice, [digits, ...how.map(String)], { maxBuffer: 1 << 26 });
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
