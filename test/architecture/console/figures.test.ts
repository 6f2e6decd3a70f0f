import { describe, expect, it } from 'vitest';
import { repositorySources } from '../repository.ts';
import { lines, source } from '../source.ts';
import { ownFigures } from './figure-rule.ts';

const judged = (path: string, text: string) => lines(ownFigures(source(path, text)));

describe('numbers and moments in the console', () => {
  it('are written in the language of the console', () => {
    expect(lines(repositorySources().flatMap(ownFigures))).toEqual([]);
  });

  it.each([
    `const text = value.toFixed(1);`,
    `const text = new Date(at).toLocaleString();`,
    `const text = new Date(at).toLocaleTimeString('en');`,
    `const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short' });`,
    `const format = new Intl.NumberFormat(i18n.locale);`,
  ])('%s turns a page red', (text) => {
    expect(judged('cloud/console/page/site/site.tsx', text)).toHaveLength(1);
  });

  it('may be written otherwise elsewhere, and by i18n', () => {
    expect(judged('cloud/cli/table.ts', `const text = value.toFixed(1);`)).toEqual([]);
    expect(judged('cloud/console/page/site/site.tsx', `const text = i18n.number(value);`)).toEqual([]);
  });
});
