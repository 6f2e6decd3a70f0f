import { describe, expect, test } from 'vitest';
import { numberFor, targetsOf, trunksFor } from '#appliance/sip/trunk/index.ts';
import { plainNumber } from '#shared/matching/index.ts';
import { host, trunk } from './fixture.ts';

describe('the trunks a number may leave by', () => {
  const trunks = [
    trunk({ id: 'any' }),
    trunk({ id: 'sweden', numberPrefix: '+46' }),
    trunk({ id: 'stockholm', numberPrefix: '+468' }),
    trunk({ id: 'north', trunkGroupId: 'north' }),
    trunk({ id: 'in', direction: 'in' }),
    trunk({ id: 'empty', hosts: [] }),
  ];
  const ids = (number: string, group?: string) => trunksFor(trunks, number, group).map(({ id }) => id);

  test.each<[string, string, string | undefined, string[]]>([
    ['a longer prefix first', '+46812345', undefined, ['stockholm', 'sweden', 'any']],
    ['another prefix', '+4540000000', undefined, ['any']],
    ['written with separators', '+46 (8) 123-45', undefined, ['stockholm', 'sweden', 'any']],
    ['a group', '+46812345', 'north', ['north']],
    ['a group that no trunk bears', '+46812345', 'south', []],
  ])('%s', (_name, number, group, expected) => {
    expect(ids(number, group)).toEqual(expected);
  });
});

describe('number rules', () => {
  test.each<[string, { strip?: number; prepend?: string }, string]>([
    ['as dialled', {}, '+46812345'],
    ['strip', { strip: 3 }, '812345'],
    ['prepend', { prepend: '00' }, '00+46812345'],
    ['strip, then prepend', { strip: 3, prepend: '0' }, '0812345'],
    ['strip everything', { strip: 32, prepend: '112' }, '112'],
  ])('%s', (_name, rule, expected) => {
    expect(numberFor(trunk(rule), '+46812345')).toBe(expected);
  });

  test.each([
    ['+46 (8) 12-34.5', '+46812345'],
    ['*21#', '*21#'],
    ['reception', undefined],
    ['', undefined],
    ['+', undefined],
    ['1+2', undefined],
  ])('%j is the number %j', (dialled, expected) => {
    expect(plainNumber(dialled)).toBe(expected);
  });
});

describe('the hosts of a trunk', () => {
  const hosts = [
    host('sip:b.example', 20),
    host('sip:a.example;transport=tls', 10),
    host('sips:x@c.example:5071', 30),
  ];
  const uris = (avoided: (uri: string) => boolean = () => false) =>
    targetsOf(
      trunk({ hosts, strip: 1 }),
      '+46 8',
      () => 0,
      ({ uri }) => avoided(uri),
    ).map(({ uri }) => uri);

  test('by priority, with the number as user and the parameters of the host', () => {
    expect(uris()).toEqual([
      'sip:468@a.example;transport=tls',
      'sip:468@b.example',
      'sips:468@c.example:5071',
    ]);
  });

  test('those to be avoided come last, and are not left out', () => {
    expect(uris((uri) => !uri.includes('c.'))).toEqual([
      'sips:468@c.example:5071',
      'sip:468@a.example;transport=tls',
      'sip:468@b.example',
    ]);
  });

  test('a called name is escaped where a URI needs it', () => {
    const [target] = targetsOf(
      trunk(),
      'ab@c d#',
      () => 0,
      () => false,
    );
    expect(target?.uri).toBe('sip:ab%40c%20d%23@carrier.example');
  });
});
