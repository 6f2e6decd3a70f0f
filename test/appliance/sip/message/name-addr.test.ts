import { describe, expect, it } from 'vitest';
import { parseNameAddr, parseVia } from '#appliance/sip/message/index.ts';

const read = (text: string) => parseNameAddr(text, 0, text.length);

describe('parseNameAddr', () => {
  it.each([
    ['<sip:a@b>', '', 'sip:a@b', {}],
    ['sip:a@b;tag=1', '', 'sip:a@b', { tag: '1' }],
    ['A Person <sip:a@b;lr>;TAG=1', 'A Person', 'sip:a@b;lr', { tag: '1' }],
    [
      '"B \\"x\\", C" <sip:a@b?x=y>;q=0.5;flag;n="a;b"',
      'B "x", C',
      'sip:a@b?x=y',
      { q: '0.5', flag: '', n: 'a;b' },
    ],
    ['""<sip:a@b>', '', 'sip:a@b', {}],
    ['  <sip:a,b@c>  ', '', 'sip:a,b@c', {}],
  ])('reads %s', (text, display, uriText, parameters) => {
    const address = read(text);
    expect(address).toMatchObject({ display, uriText, end: text.length });
    for (const [name, value] of Object.entries(parameters)) expect(address?.parameter(name)).toBe(value);
    expect(address?.parameters).toHaveLength(Object.keys(parameters).length);
  });

  it('stops at the comma of a list', () => {
    const text = 'sip:a@b;expires=5 , <sip:c@d>';
    expect(text.charAt(read(text)?.end ?? -1)).toBe(',');
  });

  it.each([
    '',
    '<sip:a@b',
    '<>',
    'sip:a@b?x=y',
    '"open <sip:a@b>',
    '"x" sip:a@b',
    'A, B <sip:a@b>',
    '< sip:a@b>',
    '<sip:a@b>;;x',
    '<sip:a@b>;=1',
    '<sip:a@b>;x=',
    '<sip:a@b> rest',
    '<sip:a<b@c>',
    '<:a>',
  ])('refuses %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('parseVia', () => {
  it.each([
    'SIP/3.0/UDP a',
    'SIP/2.0/UDP',
    'SIP/2.0/UDP a:0',
    'SIP/2.0/UDP a:x',
    'SIP/2.0/UDP a:99999',
    'SIP/2.0/UDP a;ttl=256',
    'SIP/2.0/UDP a;rport=x',
    'SIP/2.0/UDP a;;',
    'SIP/2.0/UDP [::1',
    'SIP/2.0/UDPa',
    'HTTP/1.1',
  ])('refuses %s', (text) => {
    expect(parseVia(text, 0, text.length)).toBeUndefined();
  });
});
