import { describe, expect, it } from 'vitest';
import { compilePattern, SUBJECT_MAX_LENGTH } from '#shared/matching/index.ts';
import { PATTERN_CORPUS, RE2_ONLY, REFUSED } from './pattern-corpus.ts';

function compiled(source: string) {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(`${source}: ${result.error.reason}`);
  return result.value;
}

it('has a corpus of at least 200 patterns', () => {
  expect(PATTERN_CORPUS.length + RE2_ONLY.length + REFUSED.length).toBeGreaterThanOrEqual(200);
});

describe.each([...PATTERN_CORPUS, ...RE2_ONLY])('$pattern', ({ pattern, finds, not }) => {
  it('finds what it should and nothing else', () => {
    const { test } = compiled(pattern);
    for (const text of finds) expect(test(text), `finds "${text}"`).toBe(true);
    for (const text of not.filter((text) => text !== '')) expect(test(text), `not "${text}"`).toBe(false);
  });
});

it.each(PATTERN_CORPUS.filter(({ pattern }) => !pattern.includes('(?i:')))(
  '$pattern means the same in JavaScript',
  ({ pattern, finds, not }) => {
    const { test } = compiled(pattern);
    const script = new RegExp(pattern);
    for (const text of [...finds, ...not, '', 'a', '46', 'scaip'])
      expect(test(text), text).toBe(script.test(text));
  },
);

describe('refuses', () => {
  it.each(REFUSED)('%s at position %i', (pattern, position) => {
    const result = compilePattern(pattern);
    expect(result).toMatchObject({ ok: false, error: { code: 'patternInvalid', position } });
  });

  it('more than 512 characters', () => {
    expect(compilePattern('a'.repeat(512)).ok).toBe(true);
    expect(compilePattern('a'.repeat(513))).toMatchObject({ ok: false, error: { code: 'patternTooLong' } });
  });

  it('more than 1,000 instructions', () => {
    expect(compilePattern('a{900}').ok).toBe(true);
    expect(compilePattern('a{999}b{10}')).toMatchObject({ ok: false, error: { code: 'patternTooComplex' } });
    expect(compilePattern('\\pL{200}\\pN{200}').ok).toBe(true);
  });
});

it('does not look at texts over 256 characters', () => {
  const { test } = compiled('a');
  expect(test('a'.repeat(SUBJECT_MAX_LENGTH))).toBe(true);
  expect(test('a'.repeat(SUBJECT_MAX_LENGTH + 1))).toBe(false);
});

it('treats a line break as any other sign', () => {
  expect(compiled('^scaip$').test('scaip\n')).toBe(false);
  expect(compiled('^scaip$').test('x\nscaip')).toBe(false);
});

it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-zA-Z]+)*$', '^(.*a){20}$', '(x+x+)+y'])(
  'answers at once where a backtracking engine would not: %s',
  (pattern) => {
    const { test } = compiled(pattern);
    const started = performance.now();
    expect(test(`${'a'.repeat(255)}!`)).toBe(false);
    expect(test(`${'x'.repeat(255)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  },
);
