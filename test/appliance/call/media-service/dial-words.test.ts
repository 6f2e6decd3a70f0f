import { describe, expect, it } from 'vitest';
import { dialled, isAddress } from '#appliance/call/media-service/wording/dial-words.ts';
import { callDecisionSchema } from '#shared/contract/callback/index.ts';
import { replicatedMediaServiceSchema } from '#shared/contract/provisioning/index.ts';

const SHOWN = { user: 'anna', display: 'Anna' };
const dial = (words: object, service: object = {}) =>
  dialled(
    callDecisionSchema.parse({ action: 'call', destAddr: '1', ...words }),
    replicatedMediaServiceSchema.parse({
      id: 'service-1',
      name: 'Switchboard',
      destinationMatch: '^ivr$',
      callbackBaseUrl: 'https://app.example/cb',
      ...service,
    }),
    SHOWN,
    'care.example',
  );

describe('the words of an application', () => {
  it('show the caller unless they name another one', () => {
    expect(dial({}).origin).toMatchObject({
      user: 'anna',
      display: 'Anna',
      host: 'care.example',
      hidden: false,
    });
    expect(dial({ sipFrom: 4_655 }).origin).toMatchObject({ user: '4655', display: '' });
    expect(dial({ displayName: 'Desk' }, { fromDomain: 'x.example' }).origin).toMatchObject({
      display: 'Desk',
      host: 'x.example',
    });
    expect(dial({ callerPrivacy: true }).origin.hidden).toBe(true);
  });

  it('give headers, lines of one name in their order', () => {
    const { fields } = dial({ xHeaders: { 'X-A': ['1', '2'] }, pHeaders: { 'P-B': '3' } }).origin;
    expect(fields).toEqual([
      ['X-A', '1'],
      ['X-A', '2'],
      ['P-B', '3'],
    ]);
  });

  it('never break out of their line', () => {
    const { origin } = dial({
      xHeaders: { 'X-A': 'a\r\nVia: evil' },
      sipDiversion: 'sip:a@b.example>\r\nX: y',
      sipTo: 'sip:"a<b>"@c.example',
      contactParameters: { p: 'a;b>' },
    });
    const all = JSON.stringify(origin);
    expect(all).not.toMatch(/\\r|\\n/);
    expect(origin.to).toBe('sip:ab@c.example');
    expect(origin.contact?.field).toBe(';p=a%3Bb%3E');
  });

  it('name identities for trunks only', () => {
    const { origin } = dial({ sipPAI: '+46', sipRPID: 'sip:1@x.example' });
    expect(origin.trusted).toBe(true);
    expect(origin.fields).toEqual([
      ['P-Asserted-Identity', '<sip:+46@care.example>'],
      ['Remote-Party-ID', '<sip:1@x.example>'],
    ]);
    expect(dial({}).origin.trusted).toBe(false);
  });

  it('say how long it may ring, and which codecs', () => {
    expect(dial({ maxRingTime: 2.5 }).ringMs).toBe(2_500);
    expect(dial({}, { codecs: ['PCMU'] }).plan.policy.codecs).toEqual(['PCMU']);
    expect(dial({}).ringMs).toBe(60_000);
  });

  it('write parameters with and without a value', () => {
    const { contact } = dial({
      contactParameters: { a: null, b: 1, c: false },
      contactUserParameters: { d: 'e' },
    }).origin;
    expect(contact).toEqual({ user: ';d=e', field: ';a;b=1' });
  });
});

describe('an address', () => {
  it.each(['sip:a@b.example', 'sips:a@b', 'tel:+4655', '+46 55'.replace(' ', ''), 'anna', 'anna@b.example'])(
    '%s is one',
    (text) => {
      expect(isAddress(text)).toBe(true);
    },
  );
  it.each(['', 'a b', 'sip:a@b@c', '<sip:a@b>', 'a"b', 'sip:a\r\n@b', 'x'.repeat(600)])(
    '%j is none',
    (text) => {
      expect(isAddress(text)).toBe(false);
    },
  );
});
