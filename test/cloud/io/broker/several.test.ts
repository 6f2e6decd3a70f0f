import { describe, expect, it } from 'vitest';
import type { Ability } from '#cloud/io/broker/index.ts';
import { sharedAbilities, shownUrl, worstFindings } from '#cloud/io/broker/index.ts';
import { firstTaken } from '#cloud/io/broker/link/shard-links.ts';

const ability = (name: Ability['name'], able: boolean): Ability => ({ name, able, needed: true });

describe('several brokers as one', () => {
  it('have an ability that each of them has', () => {
    const [good, bad] = [[ability('will', true), ability('retain', true)], [ability('will', false)]];
    expect(sharedAbilities([good, good])).toEqual(good);
    expect(sharedAbilities([good, bad]).map(({ able }) => able)).toEqual([false, false]);
    expect(sharedAbilities([])).toEqual([]);
  });

  it('show the finding of the first broker that is not well, and its name', () => {
    const well = { name: 'will', ok: true, sentence: 'Wills arrive.' };
    const unwell = { name: 'will', ok: false, sentence: 'Wills do not arrive.' };
    const at = (name: string, finding: typeof well) => ({ at: name, findings: [finding] });
    expect(worstFindings([at('a', well), at('b', well)])).toEqual([well]);
    expect(worstFindings([at('a', well), at('b', unwell)])).toEqual([
      { ...unwell, sentence: 'b: Wills do not arrive.' },
    ]);
    expect(worstFindings([at('a', unwell)])).toEqual([unwell]);
  });

  it('are shown without user name and password', () => {
    expect(shownUrl('mqtts://us%2Cer:secret@broker.example:8883/x')).toBe('mqtts://broker.example:8883');
  });

  it('take a message when one of them does, and say the first reason when none does', async () => {
    const away = Promise.reject(new Error('the first is away'));
    await expect(firstTaken([away, Promise.resolve()])).resolves.toBeUndefined();
    await expect(firstTaken([away, Promise.reject(new Error('the second, too'))])).rejects.toThrow(
      'the first is away',
    );
  });
});
