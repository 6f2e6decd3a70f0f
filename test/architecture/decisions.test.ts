import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decisionDocument, decisionsIn } from '#installer/build/decision-list.ts';
import { ROOT } from './repository.ts';

describe('docs/decisions.md', () => {
  it('is what comments and READMEs say; `npm run docs:decisions` writes it', () => {
    const written = decisionDocument(ROOT);
    expect(written.split('\n- ').length).toBeGreaterThan(400);
    expect(readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8')).toBe(written);
  });
});

describe('decisions of a text', () => {
  const found = (text: string, path = 'appliance/call/leg.ts') =>
    decisionsIn(path, text).map(({ kind, about, text: said }) => [kind, about, said]);

  it.each([
    ['one line', '/** Chosen: 5 s. */\nexport const WAIT_MS = 5_000;', ['Chosen', 'WAIT_MS', '5 s.']],
    ['back quotes', '  // `Interop:` some say so.\n  read();', ['Interop', undefined, 'some say so.']],
    [
      'a block, from its middle, to the end of its paragraph',
      '/**\n * Waits. Chosen: as long as\n * people do.\n *\n * More.\n */\nfunction wait() {}',
      ['Chosen', 'wait', 'as long as people do.'],
    ],
    [
      'a comment of several lines',
      '// Deviation: not\n// as written.\nconst a = 1;',
      ['Deviation', 'a', 'not as written.'],
    ],
    ['behind code', 'const a = 1; // Chosen: one.', ['Chosen', undefined, 'one.']],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it('are two in one comment', () => {
    expect(found('/**\n * Chosen: one\n * thing. Interop: another.\n */\nconst a = 1;')).toEqual([
      ['Chosen', 'a', 'one'],
      ['Interop', 'a', 'another.'],
    ]);
  });

  it('end with the item or the cell of a README', () => {
    const text = '- `Chosen:` one\n  thing.\n- more\n\n| a | Chosen: b | c |\n';
    expect(found(text, 'appliance/call/README.md')).toEqual([
      ['Chosen', undefined, 'one thing.'],
      ['Chosen', undefined, 'b'],
    ]);
  });

  it('are not made of names', () => {
    expect(found('const options = { isChosen: 1, notChosen: 2 };')).toEqual([]);
  });
});
