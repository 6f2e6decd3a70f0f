import { describe, expect, it } from 'vitest';
import { type Destination, destinationMatcher } from '#shared/matching/index.ts';
import { literalHead } from '#shared/matching/literal-head.ts';
import { PATTERN_CORPUS } from './pattern-corpus.ts';
import { numbers } from './random-number.ts';

const bridge = (id: string, destinationMatch: string, order?: number): Destination => ({
  id,
  destinationMatch,
  ...(order !== undefined && { order }),
});
const chosen = (bridges: readonly Destination[], destination: string) =>
  destinationMatcher(bridges).match(destination)?.id;

describe('several receivers that match', () => {
  it('the lowest order wins', () => {
    expect(
      chosen([bridge('a', 'scaip', 5), bridge('b', '^scaip$', 1), bridge('c', '^sca', 2)], 'scaip'),
    ).toBe('b');
    expect(chosen([bridge('a', '^scaip$', 5), bridge('b', '.', 1)], 'scaip')).toBe('b');
    expect(chosen([bridge('a', '^scaip$', 5), bridge('b', '^sc', 1)], 'scaip')).toBe('b');
  });
  it('absent order is 1000', () => {
    expect(chosen([bridge('a', '.'), bridge('b', '.', 999)], 'x')).toBe('b');
    expect(chosen([bridge('a', '.'), bridge('b', '.', 1000)], 'x')).toBe('a');
    expect(chosen([bridge('a', '.'), bridge('b', '.', 1001)], 'x')).toBe('a');
    expect(chosen([bridge('a', '.', 0), bridge('b', '.', -1)], 'x')).toBe('b');
  });
  it('then the lowest id, wherever it stands in the list', () => {
    expect(chosen([bridge('c', '^x$'), bridge('a', '^x'), bridge('b', 'x')], 'x')).toBe('a');
    expect(chosen([bridge('b', '^x$'), bridge('a', '^x$')], 'x')).toBe('a');
    expect(chosen([bridge('B', 'x'), bridge('a', 'x')], 'x')).toBe('B');
  });
});

it('finds nothing where nothing matches', () => {
  expect(chosen([], 'x')).toBeUndefined();
  expect(chosen([bridge('a', '^x$')], 'y')).toBeUndefined();
  expect(chosen([bridge('a', '.')], '')).toBeUndefined();
  expect(chosen([bridge('a', '.')], 'x'.repeat(257))).toBeUndefined();
  expect(chosen([bridge('a', '.')], 'x'.repeat(256))).toBe('a');
});

it('names resources whose pattern does not compile, and goes on without them', () => {
  const matcher = destinationMatcher([bridge('a', '(x', 1), bridge('b', 'x')]);
  expect(matcher.match('x')?.id).toBe('b');
  expect(matcher.refused).toMatchObject([{ id: 'a', error: { code: 'patternInvalid', position: 0 } }]);
});

describe('the literal head of', () => {
  it.each([
    ['^scaip$', 'scaip', true],
    ['^scaip', 'scaip', false],
    ['^\\+46\\d+$', '+46', false],
    ['^a\\.b$', 'a.b', true],
    ['^ab*$', 'a', false],
    ['^ab+$', 'ab', false],
    ['^ab{0}c$', 'a', false],
    ['^ab?$', 'a', false],
    ['^12[34]', '12', false],
    ['^ab(c|d)', undefined, false],
    ['^a|b', undefined, false],
    ['scaip', undefined, false],
    ['^$', undefined, false],
    ['^a*', undefined, false],
    ['^(a)', undefined, false],
    ['^(?i)a', undefined, false],
    ['^\\d', undefined, false],
    ['^\\Qa\\E', undefined, false],
    ['^a$b', 'a', false],
  ] as const)('%s is %s', (pattern, text, whole) => {
    expect(literalHead(pattern)).toEqual(text === undefined ? undefined : { text, whole });
  });
});

it('chooses like trying every pattern in order, on 300 random tenants', () => {
  const texts = [...new Set(PATTERN_CORPUS.flatMap(({ finds, not }) => [...finds, ...not]))];
  const pick = numbers(17);
  const usable = PATTERN_CORPUS.filter(({ pattern }) => !pattern.includes('(?i:'));
  for (let round = 0; round < 300; round++) {
    const bridges = Array.from({ length: 1 + pick(20) }, (_, n) =>
      bridge(
        `id${pick(90)}-${n}`,
        usable[pick(usable.length)]?.pattern ?? '',
        pick(3) === 0 ? pick(3) : undefined,
      ),
    );
    const inOrder = bridges.toSorted(
      (a, b) => (a.order ?? 1000) - (b.order ?? 1000) || (a.id < b.id ? -1 : 1),
    );
    const { match, all } = destinationMatcher(bridges);
    for (let n = 0; n < 10; n++) {
      const text = texts[pick(texts.length)] ?? '';
      const expected = inOrder.find(({ destinationMatch }) => new RegExp(destinationMatch).test(text));
      expect(match(text)?.id, `${text} among ${bridges.map((b) => b.destinationMatch).join('  ')}`).toBe(
        expected?.id,
      );
      const every = inOrder.filter(({ destinationMatch }) => new RegExp(destinationMatch).test(text));
      expect(all(text).map(({ id }) => id)).toEqual(every.map(({ id }) => id));
      const odd = ({ id }: Destination) => id.length % 2 === 1;
      expect(match(text, odd)?.id).toBe(every.find(odd)?.id);
    }
  }
});

it('finds one of 2,000 whole literals without trying the others', () => {
  const bridges = Array.from({ length: 2000 }, (_, n) => bridge(`id${n}`, `^destination-${n}$`));
  const { match } = destinationMatcher(bridges);
  const started = performance.now();
  for (let n = 0; n < 2000; n++) expect(match(`destination-${n}`)?.id).toBe(`id${n}`);
  // Trying one by one would be two million tests.
  expect(performance.now() - started).toBeLessThan(500);
});
