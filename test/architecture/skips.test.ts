import { describe, expect, it } from 'vitest';
import { repositorySources } from './repository.ts';
import { leftOutTests } from './skip-rule.ts';
import { lines, source } from './source.ts';

const planted = (text: string) => leftOutTests(source('test/call/leg.test.ts', text));

describe('tests that do not run', () => {
  it('are none', () => {
    expect(lines(repositorySources().flatMap(leftOutTests))).toEqual([]);
  });

  it.each([
    `it.skip('a', () => {});`,
    `describe.only('a', () => {});`,
    `test.todo('a');`,
    `it.skipIf(!process.env.CI)('a', () => {});`,
    `describe.runIf(isRoot)('a', () => {});`,
    `describe.skip.each([1])('a', () => {});`,
    `it.fails('a', () => {});`,
    `xit('a', () => {});`,
    `it('a', { skip: true }, () => {});`,
    `it('a', (ctx) => { ctx.skip(); });`,
  ])('%s turns red', (text) => {
    expect(planted(text)).toHaveLength(1);
  });

  it.each([
    `it('a', () => {});`,
    `it.each([1])('a', () => {});`,
    `parser.skip(3); const text = "it.skip('a')";`,
  ])('%s stays green', (text) => {
    expect(planted(text)).toEqual([]);
  });
});
