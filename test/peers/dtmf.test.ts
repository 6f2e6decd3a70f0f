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
let spoken: Awaited<ReturnType<typeof talk>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-dtmf-'));
  spandsp = new Spandsp(folder);
  spoken = await talk(SECONDS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('DTMF beside spandsp and multimon-ng on the same files', () => {
  it('hears every digit that it must, none that it must not, and no less than spandsp', () => {
    const under = spoken[0]?.samples ?? new Int16Array(0);
    const rows = hearRows(folder, spandsp, under, { count: 40, seed: 3 });
    expect(rows.flatMap((row) => faultOf(row, 0.05) ?? [])).toEqual([]);
    // The peers did listen: clean digits are heard by both.
    const [clean] = rows;
    expect(clean?.spandsp.hits).toBe(clean?.sent);
    expect(clean?.multimon.hits).toBeGreaterThan(0.9 * (clean?.sent ?? 0));
  });

  it.each(['alarm', 'ivr'] as const)('hears no digit in speech (%s)', (name) => {
    const profile = name === 'alarm' ? ALARM_PROFILE : IVR_PROFILE;
    const heard = spoken.flatMap(({ name: voice, samples }) => {
      const digits = ours(profile, { samples: through(LAWS.PCMA, samples) });
      return digits === '' ? [] : [`${voice}: ${digits}`];
    });
    expect(heard).toEqual([]);
  });
});
