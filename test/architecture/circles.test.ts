import { describe, expect, it } from 'vitest';
import { fileCircles, folderCircles } from './circle-rule.ts';
import { repositorySources } from './repository.ts';
import { source } from './source.ts';

const sources = repositorySources().filter(({ path }) => !path.startsWith('test/'));

describe('imports of the programs run in no circle', () => {
  it.each([
    ['files', fileCircles(sources)],
    ['folders', folderCircles(sources)],
  ])('between %s, type imports included', (_, circles) => {
    expect(circles).toEqual([]);
  });
});

describe('a circle is seen', () => {
  const three = [
    source('appliance/sip/a.ts', `import type { B } from '../media/b.ts';`),
    source('appliance/media/b.ts', `import { c } from '../call/c.ts';`),
    source('appliance/call/c.ts', `export type { A } from '../sip/a.ts';`),
    source('appliance/call/d.ts', `import './c.ts';`),
  ];

  it('over three files and three folders', () => {
    expect(fileCircles(three)).toEqual([
      ['appliance/call/c.ts', 'appliance/media/b.ts', 'appliance/sip/a.ts'],
    ]);
    expect(folderCircles(three)).toEqual([['appliance/call', 'appliance/media', 'appliance/sip']]);
  });

  it('and not where the chain ends', () => {
    expect(fileCircles(three.slice(0, 2))).toEqual([]);
    expect(folderCircles(three.slice(1))).toEqual([]);
  });
});
