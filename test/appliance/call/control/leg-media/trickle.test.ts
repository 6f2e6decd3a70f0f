import { describe, expect, it } from 'vitest';
import { isPackage, takePackage, trickleFields } from '#appliance/call/control/leg-media/trickle.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { ICE_FRAGMENT } from '#appliance/sip/sdp/index.ts';

const CANDIDATE = 'a=candidate:1 1 udp 2122260223 192.0.2.1 54321 typ host';
const FRAGMENT = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 0',
  'a=ice-ufrag:8hhY',
  'a=ice-pwd:asd88fgpdd777uzjYhagZg',
  CANDIDATE,
  CANDIDATE,
];

interface Info {
  readonly type?: string;
  readonly named?: string | undefined;
  readonly body?: string;
}

const info = ({ type = ICE_FRAGMENT, named, body = FRAGMENT.join('\r\n') }: Info): SipRequest =>
  ({
    contentType: type,
    header: (name: string) => (name === 'Info-Package' ? named : undefined),
    body: Buffer.from(body),
  }) as unknown as SipRequest;

interface Row extends Info {
  readonly title: string;
  /** The leg takes later addresses; it knows the ICE session. */
  readonly takes?: boolean;
  readonly isKnown?: boolean;
  readonly answer: string;
  readonly note?: string;
}

describe('an INFO of a package', () => {
  it.each<Row>([
    { title: 'brings addresses', named: 'trickle-ice', answer: '200', note: '2 later addresses' },
    { title: 'is of trickle-ice where it names no package', answer: '200', note: '2 later addresses' },
    {
      title: 'may write its name in capitals and with parameters',
      ...{ named: ' Trickle-ICE ; x=1', answer: '200', note: '2 later addresses' },
    },
    {
      title: 'says that no address follows',
      ...{ body: [...FRAGMENT, 'a=end-of-candidates'].join('\r\n'), answer: '200' },
      note: '2 later addresses, and no more',
    },
    {
      title: 'is of an ICE session before',
      ...{ isKnown: false, answer: '200', note: '2 later addresses (of no connection here)' },
    },
    { title: 'is of another package', named: 'conference', answer: '469 Recv-Info trickle-ice' },
    { title: 'is of a package that this leg does not take', takes: false, answer: '469 Recv-Info ' },
    {
      title: 'has a body of another type',
      ...{ named: 'trickle-ice', type: 'text/plain', answer: `415 Accept ${ICE_FRAGMENT}` },
    },
    {
      title: 'names no audio',
      ...{ body: 'm=video 9 RTP/AVP 0', answer: '400 Warning 399 carillon "no audio section stands in it"' },
    },
    {
      title: 'is too long',
      ...{ body: 'a'.repeat(16_385), answer: '413 Warning 399 carillon "a fragment of over 16384 bytes"' },
    },
  ])('$title', ({ takes = true, isKnown = true, answer, note, ...request }) => {
    const taken = takePackage({ takesTrickle: takes, trickled: () => isKnown }, info(request));
    const fields = (taken.answer.headers ?? []).map(([name, value]) => ` ${name} ${value}`);
    expect([`${taken.answer.status}${fields.join('')}`, taken.note]).toEqual([answer, note]);
  });

  it.each([
    [{ named: 'conference', type: 'text/plain' }, true],
    [{}, true],
    [{ type: 'application/dtmf' }, false],
  ])('%j: %s', (request, is) => {
    expect(isPackage(info(request))).toBe(is);
  });

  it.each([
    [true, ['Supported', 'Recv-Info']],
    [false, []],
  ])('is offered by a leg that takes it: %s', (takesTrickle, names) => {
    expect(trickleFields({ takesTrickle }).map(([name]) => name)).toEqual(names);
  });
});
