import { describe, expect, it } from 'vitest';
import { planAgain } from '#appliance/call/control/signalling/plan-again.ts';
import type { InvitePlan } from '#appliance/sip/dialog/index.ts';
import { parseMessage, SipResponse } from '#appliance/sip/message/index.ts';

const PLAN: InvitePlan = {
  target: 'sip:b@x',
  localAddress: '<sip:a@x>',
  remoteAddress: '<sip:b@x>',
  localTag: '1',
  callId: 'c',
  cseq: 1,
  sdp: Buffer.from('offer'),
  headers: [['X-Own', 'kept']],
};
const PARTS = { optional: { headers: [], parts: [] }, responseWithinMs: 500 };
const SENT_PROOF: Partial<InvitePlan> = { headers: [['Authorization', 'first']] };

/** A final response with the challenge of its status. */
function final(status: number, stale = false): SipResponse {
  const digest = `Digest realm="x", nonce="n", algorithm=MD5${stale ? ', stale=true' : ''}`;
  const challenge = { 401: `WWW-Authenticate: ${digest}`, 407: `Proxy-Authenticate: ${digest}` }[status];
  const lines = [
    `SIP/2.0 ${status} Final`,
    'Via: SIP/2.0/UDP h;branch=z9hG4bK1',
    'From: <sip:a@x>;tag=1',
    'To: <sip:b@x>;tag=2',
    'Call-ID: c',
    'CSeq: 1 INVITE',
    ...(challenge === undefined ? [] : [challenge]),
    'Content-Length: 0',
  ];
  const read = parseMessage(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  if (!read.ok || !(read.value instanceof SipResponse)) throw new Error('no response');
  return read.value;
}

interface Row {
  readonly title: string;
  readonly status: number;
  readonly plan?: Partial<InvitePlan>;
  /** No response of the peer; the status is ours. */
  readonly isOurs?: boolean;
  readonly isStale?: boolean;
  readonly hasPassword?: boolean;
  readonly offersWebRtc?: boolean;
  /** Fields of the INVITE that follows, and its parts and offer; undefined: none follows. */
  readonly follows: string | undefined;
}

const shown = (plan: InvitePlan | undefined): string | undefined =>
  plan &&
  [
    ...(plan.headers ?? []).map(([name, value]) => `${name} ${value}`),
    plan.optional === undefined ? 'no parts' : 'parts',
    Buffer.from(plan.sdp ?? []).toString(),
    plan.responseWithinMs === undefined ? 'timer B' : `${plan.responseWithinMs} ms`,
  ].join(', ');

describe('an INVITE after its refusal', () => {
  it.each<Row>([
    {
      title: 'carries its proof to a callee that asks for one',
      ...{ status: 401, follows: 'X-Own kept, Authorization proof, no parts, offer, timer B' },
    },
    {
      title: 'carries its proof to a proxy that asks for one',
      ...{ status: 407, follows: 'X-Own kept, Proxy-Authorization proof, no parts, offer, timer B' },
    },
    {
      title: 'keeps its parts when it is challenged',
      ...{ status: 401, plan: PARTS, follows: 'X-Own kept, Authorization proof, parts, offer, 500 ms' },
    },
    { title: 'fails without a password', status: 401, hasPassword: false, follows: undefined },
    { title: 'fails where its proof was refused', status: 401, plan: SENT_PROOF, follows: undefined },
    {
      title: 'replaces a proof whose nonce was too old',
      ...{
        status: 401,
        isStale: true,
        plan: SENT_PROOF,
        follows: 'Authorization proof, no parts, offer, timer B',
      },
    },
    {
      title: 'answers the proxy behind the callee, each once',
      ...{ status: 407, plan: SENT_PROOF },
      follows: 'Authorization first, Proxy-Authorization proof, no parts, offer, timer B',
    },
    {
      title: 'is sent six times at most: the sixth',
      ...{
        status: 401,
        plan: { cseq: 5 },
        follows: 'X-Own kept, Authorization proof, no parts, offer, timer B',
      },
    },
    { title: 'is sent six times at most: no seventh', status: 401, plan: { cseq: 6 }, follows: undefined },
    ...[415, 488, 606].map((status) => ({
      title: `leaves out what ${status} may mean`,
      ...{ status, plan: PARTS, follows: 'X-Own kept, no parts, offer, timer B' },
    })),
    ...[415, 606].map((status) => ({
      title: `fails with ${status} where nothing may be left out`,
      ...{ status, offersWebRtc: true, follows: undefined },
    })),
    {
      title: 'leaves out its parts when no response came at all',
      ...{ status: 408, isOurs: true, plan: PARTS, follows: 'X-Own kept, no parts, offer, timer B' },
    },
    { title: 'fails with 408 of the peer', status: 408, plan: PARTS, follows: undefined },
    { title: 'fails without a response and without parts', status: 408, isOurs: true, follows: undefined },
    {
      title: 'leaves out its parts before it gives up WebRTC',
      ...{ status: 488, plan: PARTS, offersWebRtc: true },
      follows: 'X-Own kept, no parts, offer, timer B',
    },
    {
      title: 'offers plain audio to a peer that refuses WebRTC',
      ...{ status: 488, offersWebRtc: true, follows: 'X-Own kept, no parts, plain offer, timer B' },
    },
    { title: 'fails with 488 to a plain offer', status: 488, follows: undefined },
    ...[302, 403, 404, 486, 500, 503, 603].map((status) => ({
      title: `fails with ${status}`,
      ...{ status, plan: PARTS, offersWebRtc: true, follows: undefined },
    })),
  ])('$title', ({ status, plan, isOurs, isStale, hasPassword = true, offersWebRtc = false, follows }) => {
    let offer = 'offer';
    const again = planAgain(
      { ...PLAN, ...plan },
      { status, final: isOurs === true ? undefined : final(status, isStale) },
      hasPassword
        ? (response) => [response.status === 401 ? 'Authorization' : 'Proxy-Authorization', 'proof']
        : undefined,
      {
        offerPlain: () => {
          if (offersWebRtc) offer = 'plain offer';
          return offersWebRtc;
        },
        offer: () => Buffer.from(offer),
      },
    );
    expect(shown(again)).toBe(follows);
  });
});
