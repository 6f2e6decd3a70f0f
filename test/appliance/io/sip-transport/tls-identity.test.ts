import { describe, expect, test } from 'vitest';
import { certificateIdentities, identityProblem } from '#appliance/io/sip-transport/tls-identity.ts';

const subject = { C: '', ST: '', L: '', O: '', OU: '', CN: 'cn.test' };

describe('whom a certificate speaks for (RFC 5922 7.1)', () => {
  test.each([
    ['sip URIs before DNS names', 'DNS:a.test, URI:sip:B.test', ['b.test']],
    ['several URIs', 'URI:sip:a.test, URI:sip:b.test;transport=tls', ['a.test', 'b.test']],
    ['a URI with a user is no domain', 'URI:sip:alice@a.test, DNS:c.test', ['c.test']],
    ['other schemes are no SIP domain', 'URI:https://a.test, URI:sips:a.test, DNS:c.test', ['c.test']],
    ['IP names always', 'URI:sip:a.test, IP Address:192.0.2.1', ['a.test', '192.0.2.1']],
    ['the common name without any alternative name', '', ['cn.test']],
    ['not the common name beside one', 'email:a@a.test', []],
    [
      'a quoted value does not smuggle a second name',
      'URI:"sip:a.test, DNS:evil.test", DNS:c.test',
      ['c.test'],
    ],
  ])('%s', (_name, subjectaltname, expected) => {
    expect(certificateIdentities({ subject, subjectaltname })).toEqual(expected);
  });

  test('a wildcard matches nothing but is named in the refusal (RFC 5922 7.2)', () => {
    expect(identityProblem('a.site.test', { subject, subjectaltname: 'DNS:*.site.test' })).toContain(
      '*.site.test',
    );
  });

  test('brackets, case and the final dot make no difference', () => {
    expect(
      identityProblem('[2001:DB8::1]', { subject, subjectaltname: 'IP Address:2001:db8::1' }),
    ).toBeUndefined();
    expect(identityProblem('Site.Test.', { subject, subjectaltname: 'URI:sip:site.test' })).toBeUndefined();
  });
});
