import { describe, expect, it } from 'vitest';
import { repositoryTexts } from './repository.ts';
import { lines } from './source.ts';
import { placesIn } from './word-rule.ts';

const planted = (...parts: string[]) =>
  placesIn({ path: 'README.md', text: `line\nSee ${parts.join('')} here.` });

describe('places of one machine', () => {
  it('are named nowhere', () => {
    expect(lines(repositoryTexts().flatMap(placesIn))).toEqual([]);
  });

  it.each([
    ['/wo', 'rk/main/x.ts'],
    ['file:///wo', 'rk/main'],
    ['/ho', 'me/anna/x.ts'],
    ['/Us', 'ers/Anna/x.ts'],
    ['shared/sp', 'ec/style.md'],
    ['https://registry.npm', 'js.org/hono'],
  ])('%s%s turns red', (...parts) => {
    expect(planted(...parts)).toEqual([{ path: 'README.md', line: 2, fault: expect.any(String) }]);
  });

  it.each([
    ['test/work/order.ts'],
    ['/var/lib/carillon/x'],
    ['/opt/carillon/x'],
    ['/work'],
    ['shared/special.ts'],
  ])('%s stays green', (text) => {
    expect(planted(text)).toEqual([]);
  });
});
