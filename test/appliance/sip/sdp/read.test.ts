import { describe, expect, it } from 'vitest';
import { formatSdp, parseSdp } from '#appliance/sip/sdp/index.ts';
import { answered, overTheWire, parsed, refusal, text, value } from './fixture.ts';

describe('a description is read', () => {
  it('with codecs, events, packet time, ports and labels', () => {
    const { origin, media } = parsed([
      'm=audio 49170 RTP/AVP 8 0 3 13 101 97',
      'a=rtpmap:8 pcma/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-16',
      'a=rtpmap:97 speex/16000',
      'a=ptime:30',
      'a=maxptime:60',
      'a=rtcp:53020',
      'a=label:1',
      'a=sendonly',
    ]);
    expect(origin).toEqual({
      username: 'phone',
      sessionId: '1234567890123456789',
      version: '2',
      address: { family: 4, host: '198.51.100.7' },
    });
    expect(media).toEqual([
      {
        kind: 'audio',
        port: 49_170,
        protocol: 'RTP/AVP',
        formats: ['8', '0', '3', '13', '101', '97'],
        address: { family: 4, host: '198.51.100.7' },
        direction: 'sendonly',
        codecs: [
          { payloadType: 8, name: 'PCMA', clockRate: 8_000, channels: 1 },
          { payloadType: 0, name: 'PCMU', clockRate: 8_000, channels: 1 },
          { payloadType: 3, name: 'GSM', clockRate: 8_000, channels: 1 },
          { payloadType: 13, name: 'CN', clockRate: 8_000, channels: 1 },
          { payloadType: 101, name: 'telephone-event', clockRate: 8_000, channels: 1, fmtp: '0-16' },
          { payloadType: 97, name: 'speex', clockRate: 16_000, channels: 1 },
        ],
        ptimeMs: 30,
        maxPtimeMs: 60,
        crypto: [],
        rtcpPort: 53_020,
        rtcpMux: false,
        label: '1',
      },
    ]);
  });

  it('handing session-level direction, address and packet time down to every stream', () => {
    const { media } = parsed(
      [
        'm=audio 4000 RTP/AVP 0',
        'm=audio 4002 RTP/AVP 0',
        'c=IN IP6 2001:db8::7',
        'a=inactive',
        'a=ptime:20',
      ],
      ['a=recvonly', 'a=ptime:40'],
    );
    expect(media.map(({ direction, ptimeMs, address }) => [direction, ptimeMs, address?.host])).toEqual([
      ['recvonly', 40, '198.51.100.7'],
      ['inactive', 20, '2001:db8::7'],
    ]);
  });

  it.each([
    ['sendrecv', '0.0.0.0', 4, 'sendonly'],
    ['recvonly', '0.0.0.0', 4, 'inactive'],
    ['sendrecv', '::', 6, 'sendonly'],
    ['sendrecv', '198.51.100.8', 4, 'sendrecv'],
  ])('%s at %s (IPv%s) is %s', (direction, host, family, meant) => {
    const { media } = parsed(['m=audio 4000 RTP/AVP 0', `c=IN IP${family} ${host}`, `a=${direction}`]);
    expect(media[0]?.direction).toBe(meant);
  });

  it.each([
    ['two port pairs', 'm=audio 49170/2 RTP/AVP 0', 49_170],
    ['one format alone', 'm=audio 4000 RTP/AVP 0', 4_000],
    ['a removed stream', 'm=audio 0 RTP/AVP 0', 0],
  ])('with %s in the m-line', (_, line, port) => {
    expect(parsed([line]).media[0]).toMatchObject({ kind: 'audio', port, formats: ['0'] });
  });

  it('with line ends of LF or CR alone, and without an o= that could be read', () => {
    const lines = ['v=0', 'o=one two', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', 'm=audio 4000 RTP/AVP 8', ''];
    for (const end of ['\n', '\r', '\r\n']) {
      const { origin, media } = value(parseSdp(lines.join(end)));
      expect(origin).toBeUndefined();
      expect(media[0]?.codecs[0]?.name).toBe('PCMA');
    }
  });

  it('passing over keys it could not use', () => {
    const key = `inline:${Buffer.alloc(30, 7).toString('base64')}`;
    const { media } = parsed([
      'm=audio 4000 RTP/SAVP 0',
      `a=crypto:1 AES_CM_256_HMAC_SHA1_80 ${key}`,
      `a=crypto:2 AES_CM_128_HMAC_SHA1_80 ${key}|2^20|1:4`,
      `a=crypto:3 AES_CM_128_HMAC_SHA1_80 ${key} UNENCRYPTED_SRTP`,
      `a=crypto:4 AES_CM_128_HMAC_SHA1_80 ${key};${key}`,
      'a=crypto:5 AES_CM_128_HMAC_SHA1_80 inline:short',
      `a=crypto:6 AES_CM_128_HMAC_SHA1_32 ${key}|2^31`,
      `a=crypto:7 AES_CM_128_HMAC_SHA1_80 ${key}`,
    ]);
    expect(media[0]?.crypto).toEqual([
      { tag: 6, suite: 'AES_CM_128_HMAC_SHA1_32', key: new Uint8Array(30).fill(7) },
      { tag: 7, suite: 'AES_CM_128_HMAC_SHA1_80', key: new Uint8Array(30).fill(7) },
    ]);
  });
});

describe('a description is refused', () => {
  const long = (count: number, line: string): string[] => Array.from({ length: count }, () => line);
  it.each([
    ['empty', '', 'Malformed 400'],
    ['of another version', 'v=1\r\ns=-\r\n', 'Malformed 400'],
    ['that is no description', 'hello, world\r\nhow are you\r\n', 'Malformed 400'],
    ['with NUL', text(['m=audio 4000 RTP/AVP 0', 'a=label:\0']), 'Malformed 400'],
    ['with a line without a type', text(['m=audio 4000 RTP/AVP 0', ' continued']), 'Malformed 400'],
    ['with a port that is none', text(['m=audio 70000 RTP/AVP 0']), 'Malformed 400'],
    ['with a negative port', text(['m=audio -1 RTP/AVP 0']), 'Malformed 400'],
    ['with a stream without formats', text(['m=audio 4000 RTP/AVP']), 'Malformed 400'],
    ['with a stream without anything', text(['m=']), 'Malformed 400'],
    ['with too many streams', text(long(33, 'm=audio 4000 RTP/AVP 0')), 'TooLarge 413'],
    ['with too many lines', text(long(1_100, 'a=x')), 'TooLarge 413'],
    ['with too many formats', text([`m=audio 4000 RTP/AVP ${'0 '.repeat(100)}`]), 'TooLarge 413'],
    ['with a line too long', text([`a=fmtp:101 ${'0'.repeat(3_000)}`]), 'TooLarge 413'],
    ['too large', text([`a=${'x'.repeat(70_000)}`]), 'TooLarge 413'],
  ])('%s', (_, description, outcome) => {
    expect(refusal(parseSdp(description))).toBe(outcome);
    expect(refusal(parseSdp(Buffer.from(description)))).toBe(outcome);
  });
});

describe('a description of ours', () => {
  it('is read back as it was meant', () => {
    const agreement = answered(
      [
        'm=video 6000 RTP/AVP 96',
        'm=audio 4000 RTP/SAVP 0 8 101',
        'a=rtpmap:101 telephone-event/8000',
        `a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 9).toString('base64')}`,
        'a=mid:a1',
      ],
      { secureSignalling: true },
    );
    const read = overTheWire(agreement);
    expect(read.origin).toEqual(agreement.local.origin);
    expect(read.media[0]).toMatchObject({ kind: 'video', port: 0, formats: ['96'] });
    expect(read.media[1]).toEqual(agreement.local.media[1]);
  });

  it('is written in the order of the standard', () => {
    const { local } = answered(['m=audio 4000 RTP/AVP 0 8 97', 'a=rtpmap:97 telephone-event/8000']);
    expect(formatSdp(local)).toBe(
      [
        'v=0',
        'o=- 4711 1 IN IP4 192.0.2.10',
        's=-',
        'c=IN IP4 192.0.2.10',
        't=0 0',
        'm=audio 20000 RTP/AVP 0 8 97',
        'c=IN IP4 192.0.2.10',
        'a=rtpmap:0 PCMU/8000',
        'a=rtpmap:8 PCMA/8000',
        'a=rtpmap:97 telephone-event/8000',
        'a=fmtp:97 0-15',
        'a=ptime:20',
        'a=maxptime:200',
        'a=sendrecv',
        '',
      ].join('\r\n'),
    );
  });
});
