import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { redact, redactLine, redactLines, redactValue } from '#shared/redact/index.ts';

const pem = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

describe('data that leaves a site', () => {
  test.each([
    ['a private key', pem, pem.split('\n')[1] ?? ''],
    ['a token', 'got eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl here', 'eyJzdWIiOiJ4In0'],
    ['a bearer', 'authorization: Bearer abcdef0123456789', 'abcdef0123456789'],
    ['a digest answer', 'Authorization: Digest username="x", response="0123"', 'response'],
    ['a password in an address', 'mqtts://box:hunter2@broker.example:8883', 'hunter2'],
    ['a setting', 'claim = "4F7K2M9QXT"', '4F7K2M9QXT'],
    ['a field of a log line', '{"password":"s3cret\\"more","x":1}', 's3cret'],
    ['an SRTP key', 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9', 'WVNfX19z'],
    ['a telephone number', 'call from +46701234567 came', '46701234567'],
    ['a number in a SIP address', 'INVITE sip:0701234567@box.example:5060', '0701234567'],
    ['an e-mail address', 'written by anna.berg@example.se today', 'anna.berg'],
    ['a hash', 'key d41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204'],
    [
      'a key in base 64',
      `k ${Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz').toString('base64')}`,
      'MDEyMzQ1',
    ],
  ])('holds no part of %s', (_, text, secret) => {
    expect(text).toContain(secret);
    expect(redact(text)).not.toContain(secret);
  });

  test('holds no secret that is known, wherever it stands', () => {
    expect(redact('path /x/correct-horse/y and correct-horse-2', ['correct-horse', 'correct-horse-2'])).toBe(
      'path /x/<secret>/y and <secret>',
    );
  });

  test('still says what happened', () => {
    const line =
      '{"time":"2026-01-02T03:04:05.678Z","level":"error","text":"10.0.0.7:5060 does not answer","ms":12345,"version":"0.1.0"}';
    expect(redact(line)).toBe(line);
    expect(redact('trace 01JD-AB12-CD34 of alarm 17')).toBe('trace 01JD-AB12-CD34 of alarm 17');
    expect(redact('call from +46701234567 came')).toBe('call from …567 came');
  });

  test.each([
    { text: 'read password=abc123 of box', secret: 'abc123' },
    { text: 'sent Authorization: Bearer abcdef0123456789', secret: 'abcdef' },
    { text: 'call', caller: 'sip:0701234567@x.example', secret: '0701234567' },
    { text: 'key', token: 's3cret', secret: 's3cret' },
    { text: 'at', ms: 1_770_000_000_000, cookie: ['a=b'], secret: 'a=b' },
  ])('leaves a line of a log JSON: %j', ({ secret, ...fields }) => {
    const line = JSON.stringify({ ...fields, level: 'info', traceId: '01JD' });
    expect(line).toContain(secret);
    const clean = redactLine(line);
    expect(JSON.parse(clean)).toMatchObject({ level: 'info', traceId: '01JD' });
    expect(clean).not.toContain(secret);
    expect(redactLines(`before\n${line}\n${pem.trim()}\nafter`)).toBe(`before\n${clean}\n<secret>\nafter`);
  });

  test('is taken out of objects by the names of their fields', () => {
    const names = new Set(['claim', 'database']);
    expect(
      redactValue({ claim: 'X1', list: [{ database: 'postgres://a', port: 5060 }], none: null }, names),
    ).toEqual({
      claim: '<secret>',
      list: [{ database: '<secret>', port: 5060 }],
      none: null,
    });
  });

  test('is the same when it is done twice', () => {
    const text = `password: "a b", ${pem} sip:0701234567@x.example`;
    expect(redact(redact(text))).toBe(redact(text));
  });
});
