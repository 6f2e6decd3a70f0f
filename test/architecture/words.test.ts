import { describe, expect, it } from 'vitest';
import { repositorySources, repositoryTexts } from './repository.ts';
import { lines, source } from './source.ts';
import { placesIn, privateNames } from './word-rule.ts';

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

/** Components of the OpenAPI document: a program that was generated of it names its types so. */
const COMPONENT = 'a component of the OpenAPI document';
/** The schema of such a component; `test/vectors/frozen` names fields by their schemas. */
const SCHEMA = 'the schema of a component of the OpenAPI document';

/** Names with a private word that stay, as others read them; each with its reason. */
const FROZEN: Readonly<Record<string, string>> = {
  AlarmQueueNews: COMPONENT,
  RecordNews: COMPONENT,
  SiteNews: COMPONENT,
  TranscriptNews: COMPONENT,
  alarmQueueNewsSchema: SCHEMA,
  recordNewsSchema: SCHEMA,
  siteNewsSchema: SCHEMA,
  transcriptNewsSchema: SCHEMA,
};

const PROGRAM = /^(appliance|cloud|installer|shared)\//;

describe('private words in names', () => {
  it('stand in no name of the programs, but for those that are frozen', () => {
    const left = repositorySources()
      .filter(({ path }) => PROGRAM.test(path))
      .flatMap((each) => privateNames(each).map((name) => ({ path: each.path, ...name })))
      .filter(({ name }) => !Object.hasOwn(FROZEN, name));
    expect(left, 'a new name takes a word of docs/glossary.md').toEqual([]);
  });

  it.each([
    ['type SiteNews = string;', 'news'],
    ['interface Way { readonly id: string }', 'way'],
    ['export const waysLeft = (): number => 1;', 'way'],
    ['function hear(heard: string): void {}', 'heard'],
    ['const [told] = list;', 'told'],
    ['const { name: untold } = item;', 'told'],
    ['class Line { #heard = 1; }', 'heard'],
    ['class Line { heard(): void {} }', 'heard'],
    ['const each = (...ways: string[]) => ways;', 'way'],
  ])('%s is refused', (text, word) => {
    expect(privateNames(source('appliance/x.ts', text))).toEqual([
      { line: 1, name: expect.any(String), word },
    ]);
  });

  it.each([
    ['const gateway = always(away);'],
    ['const row = { told: isReported, way: flow };'],
    ['interface Row { readonly told: boolean }'],
    ['const { news } = row;'],
    ['const renewsAt = 1;'],
  ])('%s is accepted', (text) => {
    expect(privateNames(source('appliance/x.ts', text))).toEqual([]);
  });
});
