import { describe, expect, it } from 'vitest';
import { compileRewrite, destinationMatcher, serviceAddress, serviceFor } from '#shared/matching/index.ts';

describe('rewriting', () => {
  it.each([
    ['^00(\\d+)$', '+$1', '004685551', '+4685551'],
    ['^00(\\d+)$', '+$1', '4685551', '4685551'],
    ['(\\d)(\\d)', '$2$1', '1234', '2134'],
    ['^.*$', '$$1', 'abc', '$1'],
    ['b', '', 'abc', 'ac'],
    ['x', 'y', 'x'.repeat(257), 'x'.repeat(257)],
  ])('%s to %s makes of %s %s', (match, replacement, text, result) => {
    const rewrite = compileRewrite(match, replacement);
    expect(rewrite.ok && rewrite.value(text)).toBe(result);
  });
  it.each([
    ['(a', '', 'patternInvalid'],
    ['a', '$1', 'rewriteInvalid'],
    ['(a)', '$2', 'rewriteInvalid'],
    ['(a)', '$12', 'rewriteInvalid'],
  ])('%s to %s is refused', (match, replacement, code) => {
    expect(compileRewrite(match, replacement)).toMatchObject({ ok: false, error: { code } });
  });
  it('ends in time whatever the pattern', () => {
    const rewrite = compileRewrite('^(a+)+$', 'x');
    const startMs = performance.now();
    expect(rewrite.ok && rewrite.value(`${'a'.repeat(250)}b`)).toBe(`${'a'.repeat(250)}b`);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });
});

describe('a service', () => {
  const ivr = { id: '01ivr', destinationMatch: '^ivr$' };
  const all = { id: '01all', destinationMatch: '.', order: 1 };
  const byId = new Map([ivr, all].map((service) => [service.id, service]));
  const choose = (destination: string) => serviceFor(byId, destinationMatcher([ivr, all]), destination)?.id;
  it('is reached by its id, whatever the patterns say', () => {
    expect(serviceAddress('01ivr', 'care.example')).toBe('sip:01ivr@care.example');
    expect(choose('01ivr')).toBe('01ivr');
  });
  it('is else the one that matches', () => {
    expect(choose('ivr')).toBe('01all');
    expect(serviceFor(new Map(), destinationMatcher([ivr]), 'other')).toBeUndefined();
  });
});
