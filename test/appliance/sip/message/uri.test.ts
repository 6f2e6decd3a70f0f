import { describe, expect, it } from 'vitest';
import { isSip, isTel, parseUri, type Uri, uriEqual } from '#appliance/sip/message/index.ts';

const uri = (text: string): Uri => {
  const parsed = parseUri(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.reason}`);
  return parsed.value;
};

describe('parseUri', () => {
  it('takes a SIP URI apart', () => {
    expect(uri('sip:%61lice:secret@Example.COM:5070;transport=TCP;lr;x=%3d?Subject=a%20b&to=%40')).toEqual({
      scheme: 'sip',
      user: 'alice',
      password: 'secret',
      host: 'example.com',
      port: 5070,
      parameters: [
        { name: 'transport', raw: 'TCP' },
        { name: 'lr', raw: undefined },
        { name: 'x', raw: '=' },
      ],
      headers: [
        ['Subject', 'a b'],
        ['to', '@'],
      ],
    });
  });

  it.each([
    ['sip:host', undefined, 'host'],
    ['sips:1234#56@host', '1234#56', 'host'],
    ['sip:*21*5%23@10.0.0.1', '*21*5#', '10.0.0.1'],
    ['sip:caf%C3%A9@host', 'café', 'host'],
    ['sip:user;isub=1?x@host', 'user;isub=1?x', 'host'],
    ['sip:u@[2001:DB8::1]', 'u', '[2001:db8::1]'],
  ])('reads %s', (text, user, host) => {
    expect(uri(text)).toMatchObject({ user, host, port: undefined });
  });

  it.each([
    'sip:',
    'sip:@host',
    'sip:u@',
    'sip:u@host:',
    'sip:u@host:0',
    'sip:u@host:70000',
    'sip:u@host;',
    'sip:u@host;=v',
    'sip:u@host;p=',
    'sip:u@host?',
    'sip:u@host?novalue',
    'sip:u%4@host',
    'sip:u%zz@host',
    'sip:u@ho st',
    'sip:a b@host',
    'sip:u@[2001:db8::1',
    'sip:u@[::g]',
    'sip:2001:db8::1',
    'no-scheme',
    ':nothing',
    'tel:',
    'tel:+',
    'tel:12x',
    'tel:12;',
  ])('refuses %s', (text) => {
    expect(parseUri(text)).toMatchObject({ ok: false, error: { code: 'Malformed', path: 'uri' } });
  });

  it('reads tel URIs without their visual separators, and keeps other schemes whole', () => {
    const tel = uri('tel:+46-(8)-123.45;phone-context=example.com');
    expect(isTel(tel) && tel.number).toBe('+46812345');
    expect(uri('urn:service:sos')).toEqual({ scheme: 'urn', text: 'urn:service:sos' });
    expect(isSip(uri('urn:service:sos'))).toBe(false);
  });
});

/** The examples of RFC 3261 19.1.4. */
describe('uriEqual', () => {
  it.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['tel:+46-8-1', 'tel:+4681'],
  ])('%s equals %s', (a, b) => {
    expect(uriEqual(uri(a), uri(b))).toBe(true);
    expect(uriEqual(uri(b), uri(a))).toBe(true);
  });

  it.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com:6000;transport=tcp', 'sip:bob@biloxi.com'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:a@b', 'sips:a@b'],
    ['sip:a@b', 'tel:+1'],
  ])('%s differs from %s', (a, b) => {
    expect(uriEqual(uri(a), uri(b))).toBe(false);
    expect(uriEqual(uri(b), uri(a))).toBe(false);
  });
});
