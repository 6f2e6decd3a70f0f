import { describe, expect, it } from 'vitest';
import { badFaces, badNames, type Entry, tooDeep, tooLong } from './layout-rule.ts';
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

describe('public interfaces', () => {
  it('have an index.ts and a README.md', () => {
    expect(lines(badFaces(repository))).toEqual([]);
  });

  it('turn red without a README.md, or with another index', () => {
    expect(badFaces([entry('appliance/call/index.ts')])).toHaveLength(1);
    expect(badFaces([entry('appliance/call/index.mjs')])).toHaveLength(1);
  });

  it('stay green with both, and a README.md may stand alone', () => {
    expect(badFaces([entry('appliance/call/index.ts'), entry('appliance/call/README.md', 90)])).toEqual([]);
    expect(badFaces([entry('appliance/alarm/README.md', 200)])).toEqual([]);
  });
});
