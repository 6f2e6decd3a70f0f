import { describe, expect, test } from 'vitest';
import { parseMessage, type SipRequest } from '#appliance/sip/message/index.ts';
import { callerFields, callerInfo } from '#appliance/sip/trunk/index.ts';

function invite(...fields: string[]): SipRequest {
  const text = [
    'INVITE sip:112@care.example SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa',
    'From: "Anna \\"A\\"" <sip:+46812345@carrier.example>;tag=1',
    'To: <sip:112@care.example>',
    'Call-ID: a',
    'CSeq: 1 INVITE',
    ...fields,
    '',
    '',
  ].join('\r\n');
  const parsed = parseMessage(Buffer.from(text));
  if (!parsed.ok || parsed.value.kind !== 'request') throw new Error('malformed');
  return parsed.value;
}

describe('the caller of a request', () => {
  const request = invite(
    'P-Asserted-Identity: <sip:+46899999@carrier.example>, <tel:+46899999>',
    'P-Charging-Vector: icid-value=1',
    'p-asserted-service: x',
    'X-Trunk-Key: secret',
    'X-Terminating-Trunk-Group-Id: g',
    'X-Case: 1',
    'x-case: 2',
    'Privacy: header;id',
    'Diversion: <sip:first@a.example>;reason=no-answer, <sip:second@b.example>;reason="a, b"',
    'History-Info: <sip:a@a.example>;index=1',
    'History-Info: <sip:b@b.example>;index=1.1',
    'Referred-By: <sip:r@r.example>',
    'Subject: help',
  );

  test('from a trunk', () => {
    expect(callerInfo(request, true)).toEqual({
      fromUser: '+46812345',
      displayName: 'Anna "A"',
      paiNumber: '+46899999',
      private: true,
      xHeaders: { 'X-Terminating-Trunk-Group-Id': 'g', 'X-Case': ['1', '2'] },
      pHeaders: {
        'P-Asserted-Identity': '<sip:+46899999@carrier.example>, <tel:+46899999>',
        'P-Charging-Vector': 'icid-value=1',
        'p-asserted-service': 'x',
      },
      diversionHeaders: ['<sip:first@a.example>;reason=no-answer', '<sip:second@b.example>;reason="a, b"'],
      historyInfo: ['<sip:a@a.example>;index=1', '<sip:b@b.example>;index=1.1'],
      referredBy: '<sip:r@r.example>',
      subject: 'help',
    });
  });

  test('from a device: what it asserts of itself is taken out', () => {
    const facts = callerInfo(request, false);
    expect(facts.paiNumber).toBeUndefined();
    expect(Object.keys(facts.pHeaders)).toEqual(['P-Charging-Vector', 'p-asserted-service']);
  });

  test('the key of a trunk is never shown', () => {
    expect(JSON.stringify(callerInfo(request, true))).not.toContain('secret');
  });

  test('privacy none hides nothing', () => {
    expect(callerInfo(invite('Privacy: none'), true).private).toBe(false);
  });
});

describe('the caller of a call of ours', () => {
  test('everything at once', () => {
    const fields = callerFields(
      {
        sipPAI: '+46812345',
        sipRPID: 'sip:desk@care.example',
        callerPrivacy: true,
        sipDiversion: '0701',
        sipDiversionParameters: { reason: 'no-answer', counter: 2 },
        diversionHeaders: ['<sip:old@a.example>;reason=deflection'],
        historyInfo: ['<sip:a@a.example>;index=1'],
        referredBy: '<sip:r@r.example>',
        subject: 'Blåbär',
        xHeaders: { 'X-Case': ['1', '2'] },
        pHeaders: { 'P-Charging-Vector': 'icid-value=1' },
      },
      'care.example',
    );
    expect(fields).toEqual({
      ok: true,
      value: [
        ['P-Asserted-Identity', '<sip:+46812345@care.example>'],
        ['Remote-Party-ID', '<sip:desk@care.example>;party=calling;privacy=full;screen=yes'],
        ['Privacy', 'id'],
        ['Diversion', '<sip:0701@care.example>;reason=no-answer;counter=2'],
        ['Diversion', '<sip:old@a.example>;reason=deflection'],
        ['History-Info', '<sip:a@a.example>;index=1'],
        ['Referred-By', '<sip:r@r.example>'],
        ['Subject', 'Blåbär'],
        ['X-Case', '1'],
        ['X-Case', '2'],
        ['P-Charging-Vector', 'icid-value=1'],
      ],
    });
  });

  test('an identity given as header goes before the one given as number', () => {
    const fields = callerFields(
      { sipPAI: '1', pHeaders: { 'p-asserted-identity': '<tel:+2>' } },
      'care.example',
    );
    expect(fields.ok && fields.value).toEqual([['p-asserted-identity', '<tel:+2>']]);
  });

  test.each([
    ['a line end in a value', { xHeaders: { 'X-A': 'a\r\nTo: b' } }, 'X-A'],
    ['a line end in a number', { sipPAI: '1\n' }, 'P-Asserted-Identity'],
    ['NUL', { subject: 'a\0' }, 'Subject'],
    ['a name that is no token', { xHeaders: { 'X-A: b': '1' } }, 'X-A: b'],
    ['another field among the X-headers', { xHeaders: { Route: '<sip:evil>' } }, 'Route'],
    ['another field among the P-headers', { pHeaders: { 'X-A': '1' } }, 'X-A'],
  ])('%s is refused by name', (_name, request, path) => {
    const fields = callerFields(request, 'care.example');
    expect(fields.ok || fields.error.path).toBe(path);
  });
});
