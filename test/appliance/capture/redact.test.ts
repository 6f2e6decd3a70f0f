import { describe, expect, it } from 'vitest';
import { redact } from '#appliance/capture/index.ts';

const lines = (...text: readonly string[]): string => text.join('\r\n');

function redacted(text: string): string {
  const bytes = Buffer.from(text);
  redact(bytes, text.startsWith('POST') || text.startsWith('HTTP') ? 'http' : 'sip');
  expect(bytes.length).toBe(Buffer.byteLength(text));
  return bytes.toString();
}

const register = (...fields: readonly string[]): string =>
  lines(
    'REGISTER sip:example.org SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.4:5060;branch=z9hG4bK77',
    'From: <sip:alice@example.org>;tag=1',
    'To: <sip:alice@example.org>',
    'Call-ID: a:b:c@192.0.2.4',
    'CSeq: 2 REGISTER',
    ...fields,
    'Content-Length: 0',
    '',
    '',
  );

describe('secrets of SIP are replaced at equal length', () => {
  it.each([
    [
      'a proof of Digest: who, where and how stay to be read',
      'Authorization: Digest username="alice", realm="r", nonce="NONCE123", uri="sip:example.org", response="SECRET12", algorithm=MD5, cnonce="CN", nc=00000001, qop=auth, opaque="OP"',
      'Authorization: Digest username="alice", realm="r", nonce="xxxxxxxx", uri="sip:example.org", response="xxxxxxxx", algorithm=MD5, cnonce="xx", nc=00000001, qop=auth, opaque="xx"',
    ],
    [
      'a proof in capitals, without quotes, over two lines',
      'PROXY-AUTHORIZATION : DIGEST response=SECRET12,\r\n nonce=NONCE123',
      'PROXY-AUTHORIZATION : DIGEST response=xxxxxxxx,\r\n nonce=xxxxxxxx',
    ],
    [
      'a quoted comma',
      'Authorization: Digest realm="a, b", response="SEC\\"RET"',
      'Authorization: Digest realm="a, b", response="xxxxxxxx"',
    ],
    ['a token', 'Authorization: Bearer abc.def', 'Authorization: Bearer xxxxxxx'],
    ['a key without a scheme', 'Authorization: abcdef', 'Authorization: xxxxxx'],
    ['a field of another name', 'X-Api-Key: k1 k2', 'X-Api-Key: xx xx'],
    [
      'a password in a URI',
      'Contact: <sip:alice:PASS@192.0.2.4>;expires=60',
      'Contact: <sip:alice:xxxx@192.0.2.4>;expires=60',
    ],
    [
      'a password in a web address',
      'Alert-Info: <https://bob:PASS@example.org/a>',
      'Alert-Info: <https://bob:xxxx@example.org/a>',
    ],
  ])('%s', (_, given, shown) => {
    expect(redacted(register(given))).toBe(register(shown));
  });

  it.each([
    'Contact: <sip:alice@192.0.2.4:5060>, "x:y" <sip:bob@192.0.2.5>',
    'Supported: path, outbound',
    'P-Asserted-Identity: <tel:+46701234567>',
  ])('leaves %s', (field) => {
    expect(redacted(register(field))).toBe(register(field));
  });

  it('hides the challenge but not its realm', () => {
    const answer = (nonce: string) =>
      lines(
        'SIP/2.0 401 Unauthorized',
        `WWW-Authenticate: Digest realm="r", nonce="${nonce}", qop="auth"`,
        '',
        '',
      );
    expect(redacted(answer('NONCE'))).toBe(answer('xxxxx'));
  });

  it('hides the keys of SDP', () => {
    const invite = (key: string, pwd: string) =>
      lines(
        'INVITE sip:1@example.org SIP/2.0',
        'Content-Type: application/sdp',
        '',
        'v=0',
        `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key}`,
        `a=ice-pwd:${pwd}`,
        'a=ice-ufrag:abcd',
        'a=rtpmap:8 PCMA/8000',
        '',
      );
    expect(redacted(invite('inline:SECRETSECRET|2^20', 'PWD'))).toBe(
      invite('xxxxxxxxxxxxxxxxxxxxxxxx', 'xxx'),
    );
  });
});

describe('secrets of callbacks are replaced at equal length', () => {
  const post = (path: string, token: string, body: string) =>
    lines(`POST ${path} HTTP/1.1`, 'host: app.example', `authorization: Bearer ${token}`, '', body);

  it('in the path, the fields and the JSON of the body', () => {
    const given = post(
      '/a?id=7&api_key=KEY12&x=1',
      'eyJhbGciOi.e30.SIG',
      '{"password":"P\\"W","user":"u","nested":{"apiKey": "K1"},"pin":1234}',
    );
    const shown = post(
      '/a?id=7&api_key=xxxxx&x=1',
      'xxxxxxxxxxxxxxxxxx',
      '{"password":"xxxx","user":"u","nested":{"apiKey": "xx"},"pin":xxxx}',
    );
    expect(redacted(given)).toBe(shown);
  });

  it('in a JSON that stands in a text, in XML, in a form, as a token', () => {
    const secret = 'HIDDENVALUE';
    for (const body of [
      JSON.stringify({ body: JSON.stringify({ password: secret }) }),
      `<login><user>u</user><Password type="text">${secret}</Password></login>`,
      `user=u&client_secret=${secret}`,
      `{"note":"eyJhbGciOiJub25lIn0.${secret}.abc"}`,
      `{"header":"Basic ${secret}"}`,
      `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`,
    ])
      expect(redacted(post('/', 't', body))).not.toContain(secret);
  });

  it.each([
    ['a token alone, as in each callback of an alarm', ['"replyId":"eyJhbGciOiJub25lIn0.HIDDEN.abc"']],
    ['a token behind a number that has a name', ['"pin":"HIDDEN"', '"id":"eyJhbGciOiJub25lIn0.HIDDEN.abc"']],
    ['a scheme behind a token', ['"id":"eyJhbGciOiJub25lIn0.a.b"', '"field":"bearer HIDDENVALUE"']],
    ['a name behind a scheme', ['"field":"BASIC HIDDENVALUE"', '"apiKey":"HIDDEN"']],
  ])('each beside the others: %s', (_, members) => {
    for (const each of [members, members.toReversed()])
      expect(redacted(post('/', 't', `{${each.join(',')}}`))).not.toContain('HIDDEN');
  });

  it('leaves a body without a secret as it is', () => {
    const body = '{"eventType":"alarm","deviceId":"d-1","note":"the door is open"}';
    expect(redacted(post('/a', 't', body)).endsWith(body)).toBe(true);
  });
});

it('leaves a frame of DC-09 as it is', () => {
  const frame = '\nABCD0020"SIA-DCS"0001L0#1234[#1234|Nri1/BA1password=x]\r';
  const bytes = Buffer.from(frame);
  redact(bytes, 'dc09');
  expect(bytes.toString()).toBe(frame);
});

it('takes a hostile text in linear time', () => {
  const body = `{"${'password'.repeat(20_000)}":"${'\\"'.repeat(50_000)}`;
  const bytes = Buffer.from(
    lines('MESSAGE sip:a SIP/2.0', `X: ${'@:'.repeat(30_000)}`, `Y: ${'@'.repeat(60_000)}`, '', body),
  );
  const began = performance.now();
  redact(bytes, 'sip');
  expect(performance.now() - began).toBeLessThan(2_000);
});

it('finds the name of a field whose colon stands in the next line', () => {
  const bytes = Buffer.from(
    'INVITE sip:a@b SIP/2.0\r\nAuthorization\r\n : Bearer swordfish\r\nFrom: <sip:a:swordfish@b>\r\n\r\n',
  );
  redact(bytes, 'sip');
  expect(bytes.toString()).not.toContain('swordfish');
});
