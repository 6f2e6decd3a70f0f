import { describe, expect, it } from 'vitest';
import { badEntries, badNames, type Entry, tooDeep, tooLong, tooManyFor, tooWide } from './layout-rule.ts';
import { repositoryTexts } from './repository.ts';
import { lines } from './source.ts';

const repository = repositoryTexts();
const entry = (path: string, length = 1): Entry => ({ path, text: 'line\n'.repeat(length) });
const faults = (findings: { fault: string }[]) => findings.map(({ fault }) => fault);

describe('sizes', () => {
  it('keep within the wall', () => {
    expect(lines(repository.flatMap(tooLong))).toEqual([]);
  });

  it('turn red one line beyond it', () => {
    expect(tooLong(entry('appliance/call/leg.ts', 600))).toEqual([]);
    expect(tooLong(entry('appliance/call/leg.ts', 601))).toHaveLength(1);
    expect(tooLong(entry('test/call/leg.test.ts', 601))).toHaveLength(1);
  });

  it.each([
    'shared/alarm-event/scaip.codes.ts',
    'cloud/store/schema/tables.ts',
    'shared/contract/site/host.ts',
  ])('do not matter in %s', (path) => {
    expect(tooLong(entry(path, 2000))).toEqual([]);
  });
});

describe('names', () => {
  it('are kebab-case words of the trade', () => {
    expect(lines(repository.flatMap(badNames))).toEqual([]);
  });

  it.each([
    ['shared/AlarmEvent.ts', 'AlarmEvent is not kebab-case'],
    ['shared/alarm_event.ts', 'alarm_event is not kebab-case'],
    ['appliance/call/leg-util.ts', 'util is not a name'],
    ['appliance/call/leg-helpers.ts', 'helpers is not a name'],
    ['appliance/call/session-helper.ts', 'helper is not a name'],
    ['cloud/common/start.ts', 'common is not a name'],
    ['cloud/http/misc.ts', 'misc is not a name'],
    ['cloud/http/base.test.ts', 'base is not a name'],
    ['test/common/clock.ts', 'common is not a name'],
    ['appliance/calls/leg.ts', 'the folder calls is not a singular noun'],
  ])('%s turns red', (path, fault) => {
    expect(faults(badNames(entry(path)))).toEqual([fault]);
  });

  it.each([
    'shared/alarm-event/index.ts',
    'cloud/store/schema/columns.pg.ts',
    'test/peers/sipp.test.ts',
    'appliance/sip/message/README.md',
    'shared/database.ts',
    'test/vectors/rfc4475/Base_Util.dat',
  ])('%s stays green', (path) => {
    expect(badNames(entry(path))).toEqual([]);
  });
});

describe('depth', () => {
  it('stops at four', () => {
    expect(lines(repository.flatMap(tooDeep))).toEqual([]);
  });

  it.each([
    'appliance/sip/message/header/text/parse.ts',
    'test/appliance/sip/message/header/text/parse.test.ts',
  ])('%s turns red', (path) => {
    expect(tooDeep(entry(path))).toHaveLength(1);
  });

  it('turns red below a protocol', () => {
    expect(tooDeep(entry('appliance/alarm/protocol/scaip/text/parse.ts'))).toHaveLength(1);
  });

  it.each([
    'appliance/sip/message/parse.ts',
    'appliance/alarm/protocol/scaip/parse.ts',
    'appliance/io/media-worker/mix/frame.ts',
    'test/appliance/alarm/protocol/scaip/parse.test.ts',
    'test/vectors/a/b/c/d/e.txt',
  ])('%s stays green', (path) => {
    expect(tooDeep(entry(path))).toEqual([]);
  });
});

/** Folders that hold more than 20 sources, with the most that each may hold. The list and its numbers only shrink. */
const WIDE_LEFT: Readonly<Record<string, number>> = {
  'appliance/alarm/voice': 22,
  'appliance/compose': 49,
  'appliance/io/sqlite': 21,
  'appliance/io/system': 22,
  'appliance/media/audio': 21,
  'appliance/sip/sdp': 21,
  'installer/build': 31,
  'shared/alarm-event': 33,
  'shared/contract/provisioning': 32,
  'shared/matching': 23,
  'test/architecture': 40,
  'test/bench': 23,
  'test/bench/process': 31,
  'test/campaign': 26,
  'test/cloud/http': 45,
  'test/journey': 140,
  'test/peers': 54,
  'test/peers/support': 30,
  'test/support': 47,
};

describe('breadth', () => {
  const wide = tooWide(repository);

  it('stops at twenty sources in a folder, but for those that are left', () => {
    expect(tooManyFor(WIDE_LEFT, wide)).toEqual([]);
  });

  it('has no folder left that is narrow by now', () => {
    expect(Object.keys(WIDE_LEFT).filter((folder) => !wide.has(folder))).toEqual([]);
  });

  it('says how many a folder may hold, and where the new file goes', () => {
    const wide = new Map([['cloud/feed', 22]]);
    expect(tooManyFor({ 'cloud/feed': 22 }, wide)).toEqual([]);
    expect(tooManyFor({ 'cloud/feed': 21 }, wide)).toEqual([
      'cloud/feed holds 22 sources and may hold 21: put the new one into a folder below it, or beside the code that uses it',
    ]);
    expect(tooManyFor({}, wide)).toHaveLength(1);
  });

  it('turns red with one source more, and counts no README.md', () => {
    const files = (count: number) => Array.from({ length: count }, (_, i) => entry(`cloud/feed/a${i}.ts`));
    expect(tooWide([...files(20), entry('cloud/feed/README.md')]).size).toBe(0);
    expect([...tooWide(files(21))]).toEqual([['cloud/feed', 21]]);
  });
});

describe('public interfaces', () => {
  it('have an index.ts and a README.md', () => {
    expect(lines(badEntries(repository))).toEqual([]);
  });

  it('turn red without a README.md, or with another index', () => {
    expect(badEntries([entry('appliance/call/index.ts')])).toHaveLength(1);
    expect(badEntries([entry('appliance/call/index.mjs')])).toHaveLength(1);
  });

  it('stay green with both, and a README.md may stand alone', () => {
    expect(badEntries([entry('appliance/call/index.ts'), entry('appliance/call/README.md', 90)])).toEqual([]);
    expect(badEntries([entry('appliance/alarm/README.md', 200)])).toEqual([]);
  });
});
