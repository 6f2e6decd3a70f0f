import { describe, expect, it } from 'vitest';
import { citationsIn, DOCUMENTS, deadCitations, headingsOf, SPEC } from './citation-rule.ts';
import { repositoryTexts } from './repository.ts';
import { lines } from './source.ts';

const repository = repositoryTexts();
const planted = (text: string) => [
  { path: `${SPEC}decisions.md`, text: '# Decisions\n\n## 4. Callbacks\n\n### 4.1 Delivery\n\n## Health\n' },
  { path: 'appliance/call/leg.ts', text },
];
const sections = (text: string) =>
  citationsIn({ path: 'appliance/call/leg.ts', text }).map(
    ({ file, section, line }) => `${file} ${section} ${line}`,
  );

describe('citations', () => {
  it('open a section of a document', () => {
    expect(lines(deadCitations(repository))).toEqual([]);
  });

  it('are found', () => {
    const sources = repository.filter(({ path }) => !/^(docs|test)\//.test(path) && !path.endsWith('.json'));
    const found = sources.flatMap(citationsIn);
    expect(found.length).toBeGreaterThan(350);
    expect(new Set(found.map(({ file }) => file)).size).toBeGreaterThan(6);
  });

  it.each([
    ['a section that the document does not have', '/** Retries (decisions 4.7). */'],
    ['the second of two', '/** Retries (decisions 4.1 and 9). */'],
    ['over the end of a line', '/**\n * Retries, decisions of\n * the project, section 9.\n */'],
    ['a section alone, of the document named before', '// decisions 4.1\n\n// Retries: section 8.'],
    ['a heading', '/** decisions 4.1; operations contract, "Illness". */'],
    ['a document that is not there', '/** control plane 3.1 */'],
  ])('turn red: %s', (_, text) => {
    expect(deadCitations(planted(text))).toHaveLength(1);
  });

  it('turn red in a document that means its own sections', () => {
    const document = {
      path: `${SPEC}media.md`,
      text: '## 3. Ports\nAs decisions 4.1 has it, section 4.1.\n',
    };
    expect(deadCitations([...planted(''), document])).toHaveLength(1);
  });

  it.each([
    ['/** Retries (decisions 4.1). */'],
    ['/** decisions, sections 4 and 4.1 */'],
    ['/** RFC 3261, section 99 */ // decisions 4'],
    ['/** decisions 4; as RFC 6902 section 99 demands */'],
    ['const sip = (status: number) => sip(408);'],
    ['// It takes two decisions 3 s later.'],
  ])('stay green: %s', (text) => {
    expect(deadCitations(planted(text))).toEqual([]);
  });
});

describe('a citation', () => {
  it.each([
    [
      'media document 2.4, 3 and 6',
      ['media-and-sites-api 2.4 1', 'media-and-sites-api 3 1', 'media-and-sites-api 6 1'],
    ],
    ['Document 3, 4.1', ['media-and-sites-api 4.1 1']],
    ['runtime document 2,\n * section 6', ['runtime-api 6 1']],
    ['as document 2 has it', ['runtime-api undefined 1']],
    ['media 13; protocols 5 to 7', ['media 13 1', 'protocols 5 1', 'protocols 7 1']],
    ['x\ncontrol plane, section 3.2', ['control-plane 3.2 2']],
    ['operations contract, "Health"', ['operations Health 1']],
    ['quality 3, operations 4', []],
  ])('%j', (text, expected) => {
    expect(sections(text)).toEqual(expected);
  });
});

describe('documents', () => {
  const index = repository.find(({ path }) => path === `${SPEC}README.md`)?.text ?? '';

  it.each(DOCUMENTS)('$example stands in the index, which opens its file', ({ file, example }) => {
    expect(index).toContain(`(${file}.md)`);
    expect(index).toContain(example);
    expect(citationsIn({ path: 'README.md', text: example })[0]?.file).toBe(file);
  });

  it('have their numbers and titles as headings', () => {
    expect([...headingsOf('# T\n\n## 4. Callbacks\ntext\n### 4.1 Delivery\n## Health\n')]).toEqual([
      '4',
      'Callbacks',
      '4.1',
      'Delivery',
      'Health',
    ]);
  });
});
