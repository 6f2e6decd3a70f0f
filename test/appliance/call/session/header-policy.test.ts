import { describe, expect, it } from 'vitest';
import {
  escaped,
  fromAddress,
  hidesCaller,
  isNeverSent,
  keptSecret,
  passedFields,
  readReason,
  reasonField,
  withheldNames,
} from '#appliance/call/session/index.ts';

const FIELDS = [
  ['Via', 'SIP/2.0/UDP 192.0.2.1'],
  ['X-Care', '1'],
  ['x-trunk-key', 'secret'],
  ['X-Terminating-Trunk-Group-Id', 'care-in'],
  ['P-Asserted-Identity', '<sip:1@a.example>'],
  ['P-Preferred-Identity', '<sip:2@a.example>'],
  ['P-Early-Media', 'supported'],
  ['Diversion', '<sip:3@a.example>'],
  ['History-Info', '<sip:4@a.example>;index=1'],
  ['Referred-By', '<sip:5@a.example>'],
  ['Subject', 'test'],
  ['User-to-User', '00ff'],
  ['Authorization', 'Digest'],
  ['Contact', '<sip:me>'],
  ['Supported', 'timer'],
] as const;

const names = (rule: Parameters<typeof passedFields>[1]): string[] =>
  passedFields(FIELDS, rule).map(([name]) => name);

const COMMON = [
  'X-Care',
  'P-Early-Media',
  'Diversion',
  'History-Info',
  'Referred-By',
  'Subject',
  'User-to-User',
];

describe('fields that pass from one side of a call to the other', () => {
  it('from a device: no identity it asserts itself, no secret, nothing of the hop', () => {
    expect(names({ fromTrusted: false, toTrusted: true, hidden: false })).toEqual(COMMON);
  });

  it('from a trunk: its identity goes on', () => {
    const all = names({ fromTrusted: true, toTrusted: false, hidden: false });
    expect(all).toEqual(['X-Care', 'P-Asserted-Identity', ...COMMON.slice(1)]);
  });

  it('hidden: a device learns neither who calls nor who was called before', () => {
    expect(names({ fromTrusted: true, toTrusted: false, hidden: true })).toEqual([
      'X-Care',
      'P-Early-Media',
      'Subject',
      'User-to-User',
    ]);
    expect(names({ fromTrusted: true, toTrusted: true, hidden: true })).toContain('P-Asserted-Identity');
  });
});

describe('fields of a caller', () => {
  const passing = (fields: Parameters<typeof passedFields>[0], rule = {}): string[] =>
    passedFields(fields, { fromTrusted: true, toTrusted: false, hidden: false, ...rule }).map(
      ([name, value]) => `${name}: ${value}`,
    );

  it.each([
    ['Remote-Party-ID', '<sip:1@a.example>;party=calling;privacy=full'],
    ['Diversion', '<sip:1@a.example>;reason=user-busy;privacy=full'],
    ['Diversion', '<sip:1@a.example> ; privacy = "uri"'],
    ['History-Info', '<sip:1@a.example?Privacy=history>;index=1'],
  ])('%s that asks by itself to be hidden is hidden from a device and sent to a trunk: %s', (name, value) => {
    expect(passing([[name, value]])).toEqual([]);
    expect(passing([[name, value]], { toTrusted: true })).toEqual([`${name}: ${value}`]);
  });

  it.each([
    ['Remote-Party-ID', '<sip:1@a.example>;party=calling;privacy=off'],
    ['Diversion', '<sip:1@a.example>;reason=user-busy;privacy="off"'],
    ['History-Info', '<sip:1@a.example?Privacy=none>;index=1'],
    ['Diversion', '<sip:privacy=full@a.example>'],
  ])('%s that does not goes on: %s', (name, value) => {
    expect(passing([[name, value]])).toEqual([`${name}: ${value}`]);
  });

  it('History-Info stays inside when Privacy asks for that', () => {
    const fields = [
      ['Privacy', 'history'],
      ['History-Info', '<sip:1@a.example>;index=1'],
      ['Diversion', '<sip:1@a.example>'],
    ] as const;
    expect(passing(fields)).toEqual(['Privacy: history', 'Diversion: <sip:1@a.example>']);
    expect(passing(fields, { toTrusted: true })).toHaveLength(3);
  });

  it.each(['P-Served-User', 'P-Charge-Info', 'P-Associated-URI', 'P-Profile-Key'])(
    '%s is said among trunks alone: a device can neither claim nor learn it',
    (name) => {
      const fields = [[name, '<sip:1@a.example>']] as const;
      expect(passing(fields)).toEqual([]);
      expect(passing(fields, { fromTrusted: false, toTrusted: true })).toEqual([]);
      expect(passing(fields, { toTrusted: true })).toHaveLength(1);
    },
  );

  it('a hidden caller is not named by Call-Info and Organization either', () => {
    const fields = [
      ['Call-Info', '<https://a.example/anna.jpg>;purpose=icon'],
      ['Organization', 'Annas house'],
    ] as const;
    expect(passing(fields)).toHaveLength(2);
    expect(passing(fields, { hidden: true })).toEqual([]);
  });

  it('a trunk is asked to keep the identity of a hidden caller, whatever the caller has asked for', () => {
    const privacy = (...fields: Parameters<typeof keptSecret>[0]): string[] =>
      keptSecret(fields).map(([name, value]) => `${name}: ${value}`);
    expect(privacy(['Subject', 'x'])).toEqual(['Subject: x', 'Privacy: id']);
    expect(privacy(['Privacy', 'user;critical'])).toEqual(['Privacy: user;critical;id']);
    expect(privacy(['Privacy', 'id;header'])).toEqual(['Privacy: id;header']);
  });
});

describe('the address of From', () => {
  it('shows name and number, escaped', () => {
    expect(fromAddress({ display: 'A "B" \\', user: '4 5', host: 'care.example' }, false)).toBe(
      '"A \\"B\\" \\\\" <sip:4%205@care.example>',
    );
    expect(fromAddress({ display: '', user: '', host: 'care.example' }, false)).toBe('<sip:care.example>');
    expect(fromAddress({ display: 'x\r\nEvil: 1', user: 'a', host: 'h' }, false)).toBe(
      '"x  Evil: 1" <sip:a@h>',
    );
    expect(escaped('åsa')).toBe('%C3%A5sa');
  });

  it('is anonymous when the caller hides', () => {
    expect(fromAddress({ display: 'Anna', user: '1', host: 'h' }, true)).toBe(
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
    );
  });

  it.each([
    ['id', true],
    ['header; id', true],
    ['user,id', true],
    ['none', false],
    ['video', false],
    [undefined, false],
  ])('Privacy %s hides: %s', (field, hides) =>
    expect(hidesCaller(field === undefined ? [] : [['Privacy', field]])).toBe(hides),
  );

  it('is anonymous, too, when a second Privacy line asks for it', () => {
    expect(
      hidesCaller([
        ['Privacy', 'critical'],
        ['Subject', 'id'],
        ['privacy', 'id'],
      ]),
    ).toBe(true);
  });
});

describe('the Reason field', () => {
  it('is written and read', () => {
    const reason = { protocol: 'Q.850', cause: 16, text: 'Normal call clearing' } as const;
    expect(readReason(reasonField(reason))).toEqual(reason);
    expect(reasonField({ protocol: 'SIP', cause: 480, text: 'a "b"\r\nc' })).toBe(
      'SIP;cause=480;text="a  b   c"',
    );
    expect(readReason('sip ; cause = 200 ;text="Call completed elsewhere"')).toEqual({
      protocol: 'SIP',
      cause: 200,
      text: 'Call completed elsewhere',
    });
    expect(readReason('Q.850;cause=99999')).toBeUndefined();
    expect(readReason('other;cause=1')).toBeUndefined();
    expect(readReason(undefined)).toBeUndefined();
  });
});

describe('fields that an application names', () => {
  const named = [
    ['X-Case', '17'],
    ['P-Early-Media', 'supported'],
    ['P-Charge-Info', '<sip:17@care.example>'],
    ['P-Asserted-Identity', '<sip:17@care.example>'],
    ['Remote-Party-ID', '<sip:17@care.example>'],
    ['P-Charging-Vector', 'icid-value=1'],
  ] as const;
  // Neither the caller of the application matters nor an identity that it named.
  it.each([true, false])(
    'reach a trunk whole, but for those of one hop (an identity named: %s)',
    (fromTrusted) => {
      const rule = { fromTrusted, toTrusted: true, hidden: false, byApplication: true };
      expect(passedFields(named, rule).map(([name]) => name)).toEqual([
        'X-Case',
        'P-Early-Media',
        'P-Charge-Info',
        'P-Asserted-Identity',
        'Remote-Party-ID',
      ]);
      expect(withheldNames(named, rule)).toEqual(['P-Charging-Vector']);
    },
  );

  it.each([true, false])('reach a device without identities (an identity named: %s)', (fromTrusted) => {
    const rule = { fromTrusted, toTrusted: false, hidden: false, byApplication: true };
    expect(passedFields(named, rule).map(([name]) => name)).toEqual(['X-Case', 'P-Early-Media']);
    expect(withheldNames(named, rule)).toHaveLength(4);
  });

  it('are known before the call where no callee gets them', () => {
    expect(['P-Charging-Vector', 'x-trunk-KEY', 'P-Charge-Info', 'X-Case'].filter(isNeverSent)).toEqual([
      'P-Charging-Vector',
      'x-trunk-KEY',
    ]);
  });
});
