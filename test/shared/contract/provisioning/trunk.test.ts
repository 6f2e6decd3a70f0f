import { describe, expect, it } from 'vitest';
import { trunkRequestSchema, trunkResponseSchema } from '#shared/contract/provisioning/index.ts';
import {
  codecs,
  type FieldRow,
  fieldTable,
  flag,
  NAME,
  refusalOf,
  tellsEveryField,
  text,
} from './field-table.ts';

const hosts = [{ uri: 'sip:192.0.2.10:5060', priority: 1, weight: 2 }];
/** With everything that some field asks for beside it. */
const smallest = {
  name: 'Carrier',
  hosts,
  username: 'u',
  password: 'p',
  trunkKey: 'k',
  terminatingTrunkGroupId: 'in',
};

const group = (field: string): FieldRow => [
  field,
  ['carrier-north', 'a.b_c~d+1'],
  [[''], ['a b'], ['a\r\nb'], [7]],
];
const secret = (field: string): FieldRow => [field, ['s', '<secret>'], [[''], [5]]];
const ROWS: readonly FieldRow[] = [
  NAME,
  text('description'),
  group('trunkGroupId'),
  ['direction', ['in', 'out', 'both'], [['IN'], [''], [null]]],
  [
    'hosts',
    [hosts, [{ uri: 'sips:sbc.example;transport=tcp', priority: 0, weight: 0 }]],
    [
      [[], '/hosts', 'is mandatory when direction is both'],
      [[{ uri: '192.0.2.1' }], '/hosts/0/uri', 'SIP URI'],
      [[{ priority: 1 }], '/hosts/0/uri'],
      [[{ ...hosts[0], priority: -1 }], '/hosts/0/priority'],
      [[{ ...hosts[0], priority: 65_536 }], '/hosts/0/priority'],
      [[{ ...hosts[0], weight: 1.5 }], '/hosts/0/weight'],
      [[{ ...hosts[0], port: 5060 }], '/hosts/0/port', 'not known'],
      [Array.from({ length: 33 }, () => hosts[0]), '/hosts'],
    ],
  ],
  ['transport', ['udp', 'tcp', 'tls'], [['ws'], ['UDP']]],
  [
    'ipAllowList',
    [[], ['192.0.2.7'], ['192.0.2.0/24', '2001:db8::/32', '::1']],
    [
      [['192.0.2.0/33'], '/ipAllowList/0', 'from 1 to 32'],
      [['0.0.0.0/0'], '/ipAllowList/0', 'every address'],
      [['192.0.2.1', '::/0'], '/ipAllowList/1', 'every address'],
      [['2001:db8::/129'], '/ipAllowList/0', 'from 1 to 128'],
      [['192.0.2'], '/ipAllowList/0', 'CIDR'],
      [['carrier.example'], '/ipAllowList/0', 'CIDR'],
      [['192.0.2.0/24/8'], '/ipAllowList/0', 'CIDR'],
      ['192.0.2.1'],
    ],
  ],
  ['username', ['u'], [[''], [1]]],
  secret('password'),
  flag('register'),
  secret('trunkKey'),
  group('terminatingTrunkGroupId'),
  codecs('codecs'),
  ['srtp', ['negotiated', 'alwaysWithTLS', 'always', 'never'], [['yes'], [true]]],
  flag('forceRtpRelay'),
  flag('emergencyData'),
  ['numberPrefix', ['+46', '00', '*1#'], [[''], ['a'], [46]]],
  ['strip', [0, 32], [[-1], [33], [1.5], ['1']]],
  ['prepend', ['', '0', '+46'], [['a'], [0], ['0'.repeat(33)]]],
  [
    'optionsInterval',
    [0, 5_000, 60_000],
    [[30, '/optionsInterval', '5000 ms'], [-1], [1.5], ['60000'], [2 ** 31]],
  ],
];

fieldTable(trunkRequestSchema, smallest, ROWS);
tellsEveryField(trunkResponseSchema.shape, ROWS, ['id']);

it('fills in the defaults', () => {
  expect(trunkRequestSchema.parse({ name: 'a', hosts: [{ uri: 'sip:sbc.example' }] })).toEqual({
    name: 'a',
    direction: 'both',
    hosts: [{ uri: 'sip:sbc.example', priority: 10, weight: 100 }],
    transport: 'udp',
    ipAllowList: [],
    register: false,
    codecs: ['PCMA', 'PCMU'],
    srtp: 'negotiated',
    forceRtpRelay: false,
    emergencyData: false,
    strip: 0,
    prepend: '',
    optionsInterval: 60_000,
  });
});

describe('a trunk that could never carry a call', () => {
  it.each([
    [{ direction: 'out' }, '/hosts'],
    [{ direction: 'in' }, '/ipAllowList'],
    [{ hosts, register: true }, '/username'],
    [{ hosts, register: true, username: 'u' }, '/password'],
    [{ direction: 'in', ipAllowList: ['192.0.2.1'], register: true, username: 'u', password: 'p' }, '/hosts'],
    [{ hosts, trunkKey: 'k' }, '/terminatingTrunkGroupId'],
    [{ hosts, password: 'p' }, '/username'],
  ])('%j is refused', (body, path) => {
    expect(refusalOf(trunkRequestSchema, { name: 'a', ...body })?.path).toBe(path);
  });
  it.each([
    { direction: 'in', ipAllowList: ['192.0.2.1'] },
    { direction: 'in', trunkKey: 'k', terminatingTrunkGroupId: 'g' },
    { hosts, register: true, username: 'u', password: 'p' },
  ])('%j is none', (body) => {
    expect(refusalOf(trunkRequestSchema, { name: 'a', ...body })).toBeUndefined();
  });
});
