import { describe, expect, it } from 'vitest';
import { repositorySources, repositoryTexts } from './repository.ts';
import { oddComments, oddProse, oddTexts, oddTitles, TEXT_AREAS } from './sentence-rule.ts';
import { lines, source } from './source.ts';

/**
 * Oddities that are still there, by area. A number may only fall: whoever mends texts lowers it, and it is 0 where an
 * area is done.
 */
const LEFT = {
  texts: { api: 0, cli: 0, console: 0 },
  prose: { readmes: 0, documents: 0 },
  titles: { 'test/': 0 },
  comments: { appliance: 0, cloud: 0, installer: 0, sdk: 0, shared: 1, test: 0 },
} as const;

const PROSE = {
  readmes: /(?:^|\/)(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/,
  documents: /^docs\//,
} as const;

const sources = repositorySources();

describe('texts that people read from the programs', () => {
  it.each(Object.entries(LEFT.texts))('%s: at most %d oddities', (area, most) => {
    const path = TEXT_AREAS[area as keyof typeof TEXT_AREAS];
    const found = lines(sources.filter((from) => path.test(from.path)).flatMap(oddTexts));
    expect(found.length <= most ? [] : found).toEqual([]);
  });

  it.each([
    ["const reason = 'Whoever asks is told.';", ['"Whoever" begins a sentence', '"told" is not used']],
    ["const reason = 'The call ended. What follows is lost.';", ['"What" begins a sentence']],
    ['const reason = `There is nobody.`;', ['"nobody" is not used']],
    ["const reason = 'It is done all the same.';", ['"all the same" is not used']],
    ["const reason = 'The operator is notified beside.';", ['"beside" is not used as an adverb']],
    ['const text = <p>Of the hosts one answers.</p>;', ['"Of" begins a sentence']],
  ])('%s turns red', (text, faults) => {
    const found = oddTexts(source('cloud/console/planted.tsx', text)).map(({ fault }) => fault.split(':')[0]);
    expect(found).toEqual(faults);
  });

  it.each([
    "const reason = 'The device stands beside the site.';",
    "const reason = 'The number of hosts is 3.';",
    "const kind = 'told';",
    "port.log('info', 'nobody was told');",
    "this.#log('What is left');",
  ])('%s stays green', (text) => {
    expect(oddTexts(source('cloud/http/planted.ts', text))).toEqual([]);
  });
});

describe('prose', () => {
  const files = repositoryTexts().filter(({ path }) => path.endsWith('.md'));

  it.each(Object.entries(LEFT.prose))('%s: at most %d oddities', (area, most) => {
    const path = PROSE[area as keyof typeof PROSE];
    const found = lines(files.filter((file) => path.test(file.path)).flatMap(oddProse));
    expect(found.length <= most ? [] : found).toEqual([]);
  });

  it('is read without its code, paragraph by paragraph', () => {
    const text =
      '# Head\n\nThe host answers.\nWhat is left\nis sent.\n\n```sh\n# nobody\n```\n\nSee `gone.ts`.\n';
    expect(oddProse({ path: 'README.md', text })).toEqual([
      { path: 'README.md', line: 3, fault: '"What" begins a sentence: What is left is sent.' },
    ]);
  });
});

describe('titles of tests', () => {
  it.each(Object.entries(LEFT.titles))('%s: at most %d oddities', (folder, most) => {
    const found = lines(sources.filter(({ path }) => path.startsWith(folder)).flatMap(oddTitles));
    expect(found.length <= most ? [] : found).toEqual([]);
  });

  it.each([
    ["it('is told', () => {});", 1],
    ["test.each([1])('what %s brings is gone', () => {});", 2],
    ["describe('whoever calls', { timeout: 1 }, () => {});", 1],
    ["it('is told of', () => say('nobody is told'));", 1],
    ["it('of a device is erased', () => {});", 1],
    ["it('is heard on its way', () => {});", 2],
    ["it('reports the data of a device', () => {});", 0],
    ["it('are no way around the lock', () => {});", 0],
    ["say('nobody is told');", 0],
  ])('%s has %d', (text, count) => {
    expect(oddTitles(source('test/peers/planted.test.ts', text))).toHaveLength(count);
  });
});

describe('comments', () => {
  it.each(Object.entries(LEFT.comments))('%s: at most %d oddities', (folder, most) => {
    const found = lines(sources.filter(({ path }) => path.startsWith(`${folder}/`)).flatMap(oddComments));
    expect(found.length <= most ? [] : found).toEqual([]);
  });

  it.each([
    ['// What it says.', 1],
    ['/**\n * The call ends. Whoever\n * waits is told.\n */', 2],
    ['/** The call ends. */', 0],
    ["const text = 'nobody knows';", 0],
  ])('%j has %d', (text, count) => {
    expect(oddComments(source('shared/planted.ts', text))).toHaveLength(count);
  });
});
