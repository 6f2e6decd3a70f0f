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
    ['test/wo', 'rk/order.ts'],
    ['/var/lib', '/carillon/x'],
    ['/opt', '/carillon/x'],
    ['/wo', 'rk'],
    ['shared/sp', 'ecial.ts'],
  ])('%s%s stays green', (...parts) => {
    expect(planted(...parts)).toEqual([]);
  });
});

/** Components of the OpenAPI document: a program that was generated of it names its types so. */
const COMPONENT = 'a component of the OpenAPI document';
/** The schema of such a component; `test/vectors/frozen` names fields by their schemas. */
const SCHEMA = 'the schema of a component of the OpenAPI document';

/** An export of the contract, which `test/vectors/frozen` names. */
const EXPORTED = 'a frozen export of the contract';

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
  DOOR_COMMANDS: EXPORTED,
  logTailWishSchema: EXPORTED,
};

/** A row, a snapshot or a note that other versions of the program read. */
const STORED = 'persisted';
/** JSON that other programs read: a callback, a platform alarm, an answer of the API, the output of a command. */
const SENT = 'sent to other programs';

/** Members with a private word that stay, by their types; each with its reason. */
const FROZEN_MEMBERS: Readonly<Record<string, string>> = {
  'Part.ways': STORED,
  'PendingEvent.ways': STORED,
  'Exchange.lastWay': STORED,
  'ToneCall.heard': STORED,
  'AlarmSession.arcGone': STORED,
  'AlarmSession.isDeviceGone': STORED,
  'SendingSession.way': STORED,
  'SendingEffect.way': 'shown in traces',
  'Written.told': STORED,
  'Entry.way': STORED,
  'CallbackCall.givesWay': STORED,
  'SilenceVerdict.heard': STORED,
  'HostFlap.told': STORED,
  'NameTries.toldMs': STORED,
  'StrangerSum.untold': SENT,
  'MessageOutcome.heard': SENT,
  'SipOutcome.heard': SENT,
  'SiteAlarm.untold': COMPONENT,
  'SiteAlarmDetail.untold': COMPONENT,
};

/** Names with a private word that are still there, by folder. A number may only fall. */
const LEFT = {
  'appliance/': 0,
  'cloud/': 0,
  'installer/': 0,
  'shared/': 0,
  'test/': 0,
} as const;

/** The folder of `LEFT` that a source belongs to: the longest that fits. */
const folderOf = (path: string): string | undefined =>
  Object.keys(LEFT)
    .filter((folder) => path.startsWith(folder))
    .toSorted((one, other) => other.length - one.length)[0];

describe('private words in names', () => {
  it.each(Object.entries(LEFT))('%s: at most %d, but for those that are frozen', (folder, most) => {
    const left = repositorySources()
      .filter(({ path }) => folderOf(path) === folder)
      .flatMap((each) => privateNames(each).map((name) => ({ path: each.path, ...name })))
      .filter(({ name }) => !Object.hasOwn(FROZEN, name) && !Object.hasOwn(FROZEN_MEMBERS, name));
    expect(left.length <= most ? [] : left, 'a new name takes a word of docs/glossary.md').toEqual([]);
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
    ['const NOBODY_RINGS = 1;', 'nobody'],
    ['const isGone = await removed();', 'gone'],
    ['for (const door of doors()) door.close();', 'door'],
    ['const listen = (gone: () => void) => gone;', 'gone'],
    ['class Table { bookMove(): void {} }', 'book'],
    ['interface Row { readonly told: boolean }', 'told'],
    ['interface User { heard(event: string): void }', 'heard'],
    ["type Step = { readonly kind: 'tell'; readonly news: string };", 'news'],
    ['function next(): { readonly way: string } {}', 'way'],
  ])('%s is refused', (text, word) => {
    expect(privateNames(source('appliance/x.ts', text))).toEqual([
      { line: 1, name: expect.any(String), word },
    ]);
  });

  it.each([
    ['const gateway = always(away);'],
    ['const row = { told: isReported, way: flow };'],
    ["interface Row { readonly kind: 'told' }"],
    ['const { news } = row;'],
    ['const renewsAt = 1;'],
  ])('%s is accepted', (text) => {
    expect(privateNames(source('appliance/x.ts', text))).toEqual([]);
  });
});
