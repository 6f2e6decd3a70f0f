import { describe, expect, it } from 'vitest';
import type { Capability } from '#appliance/sip/endpoint/index.ts';
import { capability, requestText, Stage, udp } from './stage.ts';

/** Status, and one field of the answer, to one request. */
function answer(
  parts: Parameters<typeof requestText>[0],
  field: string,
  changed: Partial<Capability> = {},
): string {
  const stage = new Stage({ capability: { ...capability, ...changed } });
  stage.onDeliver = (_, server) => void server.respond({ status: 200, reason: 'Delivered' }, stage.nowMs);
  stage.receive(requestText(parts));
  const response = stage.responses()[0];
  return `${response?.status} ${response?.reason}${response?.header(field) === undefined ? '' : ` ${field}=${response.header(field)}`}`;
}

const allow = 'Allow=INVITE, ACK, BYE, CANCEL, OPTIONS, REGISTER, MESSAGE, INFO';
const xml = { body: '<x/>', extra: ['Content-Type: text/xml'] };

describe('a request that the endpoint refuses by itself', () => {
  it.each<[string, Parameters<typeof requestText>[0], string, Partial<Capability>, string]>([
    ['a method not offered', { method: 'PUBLISH' }, 'Allow', {}, `405 Method Not Allowed ${allow}`],
    ['an unknown method', { method: 'DANCE' }, 'Allow', {}, `501 Not Implemented ${allow}`],
    ['a scheme not ours', { uri: 'http://x' }, 'X', {}, '416 Unsupported URI Scheme'],
    ['a broken Request-URI', { uri: 'sip:a@b:x' }, 'X', {}, '400 Bad Request-URI'],
    [
      'a broken Contact of REGISTER',
      { method: 'REGISTER', extra: ['Contact: <<'] },
      'X',
      {},
      '400 Bad Contact',
    ],
    [
      'an extension not supported',
      { extra: ['Require: timer, gruu'] },
      'Unsupported',
      {},
      '420 Bad Extension Unsupported=gruu',
    ],
    [
      'the lack of a demanded extension',
      { extra: ['Supported: path'] },
      'Require',
      { demanded: { MESSAGE: ['timer', 'path'] } },
      '421 Extension Required Require=timer',
    ],
    [
      'a body of a type not read',
      xml,
      'Accept',
      {},
      '415 Unsupported Media Type Accept=application/scaip+xml, application/sdp, text/plain',
    ],
    [
      'a packed body',
      { body: 'x', extra: ['Content-Type: text/plain', 'Content-Encoding: gzip'] },
      'Accept-Encoding',
      {},
      '415 Unsupported Media Type Accept-Encoding=identity',
    ],
    [
      'a dialog that does not exist',
      { method: 'BYE', to: '<sip:a@b>;tag=x' },
      'X',
      { knowsDialog: () => false },
      '481 Call/Transaction Does Not Exist',
    ],
    [
      'everything new while busy',
      {},
      'Retry-After',
      { busyForS: () => 17 },
      '503 Service Unavailable Retry-After=17',
    ],
  ])('%s', (_, parts, field, changed, expected) => {
    expect(answer(parts, field, changed)).toBe(expected);
  });

  it.each<[string, Parameters<typeof requestText>[0], Partial<Capability>]>([
    [
      'a body of any type whose handling is optional',
      { ...xml, extra: [...xml.extra, 'Content-Disposition: x;handling=optional'] },
      {},
    ],
    ['a body without a type', { body: 'x' }, {}],
    ['a broken Contact where none is used', { extra: ['Contact: <<'] }, {}],
    ['a supported extension, whatever its case', { extra: ['Require: TIMER'] }, {}],
    ['a known dialog', { method: 'BYE', to: '<sip:a@b>;tag=x' }, { knowsDialog: () => true }],
    ['a tel URI', { uri: 'tel:+4612' }, {}],
  ])('but delivers %s', (_, parts, changed) => {
    expect(answer(parts, 'X', changed)).toBe('200 Delivered');
  });

  it('gets a true answer to OPTIONS', () => {
    const stage = new Stage();
    stage.receive(requestText({ method: 'OPTIONS' }));
    const [response] = stage.responses();
    expect(response?.list('Allow')).toEqual(capability.methods);
    expect(response?.list('Accept')).toEqual(capability.accept);
    expect(response?.list('Accept')).toContain('application/scaip+xml');
    expect(response?.list('Supported')).toEqual(capability.supported);
    expect(stage.delivered).toHaveLength(0);
  });

  it('answers 503 without a transaction above its limit, and repeats known ones even then', () => {
    const stage = new Stage({ maxServers: 1 });
    stage.onDeliver = (_, server) => void server.respond({ status: 200 }, stage.nowMs);
    stage.receive(requestText());
    stage.receive(requestText({ branch: 'z9hG4bKtwo', callId: 'two' }));
    stage.receive(requestText());
    expect(stage.statuses()).toEqual([200, 503, 200]);
    expect(stage.responses()[1]?.header('Retry-After')).toBe('5');
    expect(stage.endpoint.serverCount).toBe(1);
  });

  it('answers a malformed request with what could be kept, and only where a Via stands', () => {
    const stage = new Stage();
    stage.receive(requestText({ cseq: 'x' }), { ...udp, remotePort: 7_777 });
    expect(stage.sent[0]?.flow.remotePort).toBe(7_777);
    expect(stage.sent[0]?.bytes.toString()).toMatch(
      /^SIP\/2\.0 400 Bad Request \(CSeq\)\r\nVia: .*rport=7777/,
    );
    stage.receive(requestText({ cseq: 'x', via: 'X: y' }));
    stage.receive(requestText().replace('MESSAGE sip:receiver@192.0.2.254 SIP/2.0', 'SIP/2.0 2000 OK'));
    stage.receive('\r\n\r\n');
    stage.receive('');
    expect(stage.sent).toHaveLength(1);
    expect(stage.endpoint.counts.malformed).toBe(5);
  });
});
