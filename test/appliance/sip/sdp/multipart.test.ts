import { describe, expect, it } from 'vitest';
import { bodyParts, sessionBody, warningOf } from '#appliance/sip/sdp/index.ts';
import { refusal, value } from './fixture.ts';

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\n';
const MIXED = 'multipart/mixed;boundary=foobar';
const recording = [
  '--foobar',
  'Content-Type: application/sdp',
  '',
  SDP,
  '--foobar',
  'Content-Type: application/rs-metadata+xml',
  'Content-Disposition: recording-session',
  '',
  '<recording/>',
  '--foobar--',
  'epilogue',
].join('\r\n');
const bytes = (text: string): Uint8Array => Buffer.from(text);
const textOf = (content: Uint8Array | undefined): string => Buffer.from(content ?? []).toString();

describe('a divided body', () => {
  it('is cut into its parts, byte for byte', () => {
    const parts = value(bodyParts(MIXED, bytes(`preamble\r\n${recording}`)));
    expect(parts.map(({ type }) => type)).toEqual(['application/sdp', 'application/rs-metadata+xml']);
    expect(textOf(parts[0]?.content)).toBe(SDP);
    expect(textOf(parts[1]?.content)).toBe('<recording/>');
    expect(parts[1]?.fields.get('content-disposition')).toBe('recording-session');
  });

  it('gives its session description, also out of a part of a part', () => {
    expect(textOf(value(sessionBody('Multipart/Mixed; boundary="foobar"', bytes(recording))))).toBe(SDP);
    const nested = ['--out', `Content-Type: ${MIXED}`, '', recording, '--out--', ''].join('\r\n');
    expect(textOf(value(sessionBody('multipart/alternative;boundary=out', bytes(nested))))).toBe(SDP);
  });

  it.each([
    'multipart/mixed; boundary = foobar',
    'multipart/mixed ; boundary\t=\t"foobar"',
    'multipart/mixed;charset=x; BOUNDARY ="foobar" ; y=z',
  ])('may have blanks around its parameters: %s', (type) => {
    expect(textOf(value(sessionBody(type, bytes(recording))))).toBe(SDP);
  });

  it('may end its lines in LF and lack its closing delimiter', () => {
    const loose = recording.replaceAll('\r\n', '\n').replace('--foobar--\nepilogue', '');
    expect(textOf(value(sessionBody(MIXED, bytes(loose)))).trimEnd()).toBe(
      SDP.replaceAll('\r\n', '\n').trimEnd(),
    );
  });

  it('is a value when broken', () => {
    expect(refusal(bodyParts('multipart/mixed', bytes(recording)))).toBe('Malformed 400');
    expect(refusal(bodyParts('multipart/mixed;boundary=other', bytes(recording)))).toBe('Malformed 400');
    const many = `${'--foobar\r\n\r\nx\r\n'.repeat(40)}--foobar--`;
    expect(refusal(bodyParts(MIXED, bytes(many)))).toBe('TooLarge 413');
    let deep = recording;
    for (let level = 0; level < 5; level++)
      deep = [
        `--b${level}`,
        `Content-Type: multipart/mixed;boundary=${level === 0 ? 'foobar' : `b${level - 1}`}`,
        '',
        deep,
        `--b${level}--`,
      ].join('\r\n');
    expect(refusal(bodyParts('multipart/mixed;boundary=b4', bytes(deep)))).toBe('Malformed 400');
  });
});

describe('a body', () => {
  it('that is a description is one, typed or not; none is none; another is 415', () => {
    expect(textOf(value(sessionBody('application/sdp', bytes(SDP))))).toBe(SDP);
    expect(textOf(value(sessionBody(undefined, bytes(SDP))))).toBe(SDP);
    expect(value(sessionBody('application/sdp', bytes('')))).toBeUndefined();
    expect(refusal(sessionBody('text/plain', bytes('hello')))).toBe('NoDescription 415');
  });
});

describe('a refusal', () => {
  it('gives the peer the reason, in signs a header field may hold', () => {
    const warning = warningOf(
      { code: 'NoCodec', status: 488, warning: 305, reason: 'no "voice"\r\ncodec \\ é' },
      'carillon',
    );
    expect(warning).toBe('305 carillon "no  voice   codec    "');
  });
});
