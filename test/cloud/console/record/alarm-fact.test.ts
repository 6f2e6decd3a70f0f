import { expect, it } from 'vitest';
import { alarmFacts, sentenceOf } from '#cloud/console/page/alarm/alarm-fact.ts';
import { rejectedRevisionText, siteDownText } from '#cloud/monitoring/alarm/wording.ts';

const NONE = {
  severity: undefined,
  lastSeen: undefined,
  hosts: [],
  revision: undefined,
  faults: [],
  freeBytes: undefined,
};

it('the facts of an incident are those that the control plane writes', () => {
  const err = [{ code: 'invalid', path: 'devices[3].codec', msg: 'is no codec' }];
  const refused = rejectedRevisionText('h1', {
    ...{ v: 1, sid: '', scope: 'tenant', rev: 7, status: 'nack', err },
  } as never);
  expect(alarmFacts(refused.details ?? {})).toEqual({
    ...NONE,
    revision: 7,
    faults: [{ path: 'devices[3].codec', text: 'is no codec' }],
  });
  expect(alarmFacts(siteDownText('north', ['h1', 'h2']).details ?? {})).toEqual({
    ...NONE,
    hosts: ['h1', 'h2'],
  });
  expect(alarmFacts({ severity: 'major', lastSeen: 5, freeBytes: 9 })).toEqual({
    ...NONE,
    ...{ severity: 'major', lastSeen: 5, freeBytes: 9 },
  });
});

it('values of another form are left out', () => {
  expect(
    alarmFacts({
      severity: 3,
      lastSeen: 'long ago',
      hosts: ['h1', 5, null],
      revision: '7',
      errors: [null, 'x', { path: 5, msg: 'm' }, { msg: 'whole' }],
      freeBytes: {},
    }),
  ).toEqual({ ...NONE, hosts: ['h1'], faults: [{ path: '', text: 'whole' }] });
});

it('an incident begins as a sentence does, but for a name', () => {
  expect(sentenceOf('the disk is 91 % full')).toBe('The disk is 91 % full');
  expect(sentenceOf('über zehn Anrufe warten')).toBe('Über zehn Anrufe warten');
  for (const text of ['gw-1 is silent', 'sip.example refuses calls', 'host2 is silent', 'Host gw-1', ''])
    expect(sentenceOf(text)).toBe(text);
});
