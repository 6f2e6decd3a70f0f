import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { differences } from './difference.ts';
import { seededBytes } from './effect-log.ts';

afterEach(() => {
  globalThis.carillonEffects = undefined;
});

/** The effects of one SCAIP alarm, to which the application says this. */
async function effectsOf(action: string, seed = 'seed'): Promise<string[]> {
  const lines: string[] = [];
  globalThis.carillonEffects = {
    note: (kind, atMs, text) => void lines.push(`${kind} ${atMs} ${text}`),
    random: seededBytes(seed),
  };
  const site = await testAppliance();
  try {
    site.bridge({ defaultEmergencyDestination: 'sip:operator@arc.example' });
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action }));
    const body = '<mrq><ref>A1</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>';
    site.request('MESSAGE', 'scaip-0001', { body });
    await site.after(5_000);
  } finally {
    await site.close();
  }
  return lines;
}

describe('recorded effects', () => {
  it('are the same in each run, and hold what leaves the appliance', async () => {
    const [one, two] = [await effectsOf('callEmergencyCenter'), await effectsOf('callEmergencyCenter')];
    expect(two).toEqual(one);
    const kinds = ['sip', 'callback', 'journal'].map(
      (kind) => one.filter((line) => line.startsWith(kind)).length,
    );
    expect(Math.min(...kinds)).toBeGreaterThan(0);
    expect(one.join('\n')).toContain('/newAlarmbridgeEvent');
  });

  it('are others for another answer, and for other random bytes', async () => {
    const one = await effectsOf('callEmergencyCenter');
    expect(await effectsOf('drop')).not.toEqual(one);
    expect(await effectsOf('callEmergencyCenter', 'another')).not.toEqual(one);
  });
});

describe('a comparison of two recordings', () => {
  const compared = (before: readonly string[][], after: readonly string[][]): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-effects-'));
    try {
      for (const [name, tests] of Object.entries({ before, after })) {
        mkdirSync(join(folder, name));
        for (const [index, lines] of tests.entries())
          writeFileSync(join(folder, name, `${index}.txt`), `${lines.join('\n')}\n`);
      }
      return differences(join(folder, 'before'), join(folder, 'after'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it.each([
    ['the same', ['a', 'sip 1 x', 'journal 1 y'], []],
    ['another order of two kinds', ['a', 'journal 1 y', 'sip 1 x'], []],
    ['another text', ['a', 'sip 1 z', 'journal 1 y'], ['a: sip 1\n  - sip 1 x\n  + sip 1 z']],
    ['one more', ['a', 'sip 1 x', 'sip 2 x', 'journal 1 y'], ['a: sip 2\n  - nothing\n  + sip 2 x']],
    ['one less', ['a', 'sip 1 x'], ['a: journal 1\n  - journal 1 y\n  + nothing']],
    ['another time', ['a', 'sip 2 x', 'journal 1 y'], ['a: sip 1\n  - sip 1 x\n  + sip 2 x']],
    ['another test', ['b', 'sip 1 x'], ['a: is gone', 'b: is new']],
  ])('%s', (_name, after, found) => {
    expect(compared([['a', 'sip 1 x', 'journal 1 y']], [after])).toEqual(found);
  });
});
