import { Signalling } from '#appliance/call/control/signalling/signalling.ts';
import {
  INCOMING,
  type SignallingDependencies,
  type SignallingPlan,
} from '#appliance/call/control/signalling/signalling-port.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import type { InvitePlan } from '#appliance/sip/dialog/index.ts';
import type { Flow, ServerTransaction, StreamRoutes } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { capability, requestText, Stage, udp } from '#test/appliance/sip/endpoint/stage.ts';

export const SDP =
  'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n';
const CONTACT = 'Contact: <sip:peer@192.0.2.1>';
export const OFFERS = [CONTACT, 'Content-Type: application/sdp'];
export const T1_MS = 500;

const settings = {
  contact: '<sip:us@192.0.2.254>',
  allow: ['INVITE', 'ACK', 'BYE', 'CANCEL'],
  timer: { expiresS: 1_800, minSeS: 90 },
  t1Ms: T1_MS,
  t2Ms: 4_000,
  reliableProvisional: true,
};

export const PLAN: InvitePlan = {
  target: 'sip:peer@192.0.2.1',
  localAddress: '<sip:us@192.0.2.254>',
  remoteAddress: '<sip:peer@192.0.2.1>',
  localTag: 'ours',
  callId: 'call-1',
  cseq: 1,
  sdp: Buffer.from(SDP),
};

/** Too long for a datagram. */
export const LONG_PLAN: InvitePlan = { ...PLAN, headers: [['X-Long', 'x'.repeat(1_400)]] };

export interface Setting
  extends Partial<Pick<SignallingPlan, 'flow' | 'follows' | 'answerChallenge'>>,
    Partial<Pick<SignallingDependencies, 'find' | 'others'>> {
  /** 0 to 1, for the back-off after glare. */
  readonly chance?: number;
  readonly streams?: StreamRoutes;
}

interface Reply {
  readonly tag?: string;
  readonly extra?: readonly string[];
  readonly by?: Flow;
  readonly body?: string;
}

/** The signalling of one leg over a real endpoint and real timers; its user writes down its events. */
export function room({ flow = udp, chance = 0, streams, find, others, ...plan }: Setting = {}) {
  const done: string[] = [];
  const started: string[] = [];
  const filed = new Set<string>();
  let server: ServerTransaction | undefined;
  const stage = new Stage({
    capability: { ...capability, methods: [...capability.methods, 'PRACK'] },
    effects: { ...(streams && { streams }) },
  });
  const timers = new EngineTimers({ clock: { monoMs: () => stage.nowMs, wallMs: () => 0 } }, (cause) =>
    stage.defects.push(String(cause)),
  );
  const scope = timers.scope<string>((_leg, timer) => signalling.timer(timer));
  const signalling = new Signalling(
    { name: 'leg', flow, settings, ...plan },
    {
      endpoint: stage.endpoint,
      nowMs: () => stage.nowMs,
      chance: () => chance,
      turn: (work) => work(),
      start: (leg, timer, ms) => {
        started.push(`${timer}=${ms}`);
        scope.start(leg, timer, stage.nowMs + ms);
      },
      stop: (leg, timer) => scope.stop(leg, timer),
      file: (_leg, key, tag) => {
        if (!filed.has(key)) done.push(`file ${tag || 'incoming'}`);
        filed.add(key);
      },
      settled: () => done.push('settled'),
      ...(find && { find }),
      ...(others && { others }),
    },
    {
      onEvent: (tag, event) => {
        const more =
          'cause' in event ? ` ${event.cause}` : 'response' in event ? ` ${event.response?.status}` : '';
        done.push(`${tag || 'incoming'}: ${event.kind}${more}`);
      },
      rang: (status) => done.push(`rang ${status}`),
      won: (tag) => done.push(`won ${tag}`),
      failed: (status, response) =>
        done.push(`failed ${status}${response === undefined ? ' without response' : ''}`),
      odd: ({ kind, status, callId }) => done.push(`${kind} ${status} in ${callId}`),
      astray: (reason) => done.push(`astray: ${reason}`),
      stranded: (reason) => done.push(`stranded: ${reason}`),
    },
  );
  stage.onDeliver = (_request, arrived) => {
    server = arrived;
  };

  const last = (method: string): SipRequest => {
    const found = stage.requests().findLast((request) => request.method === method);
    if (found === undefined) throw new Error(`no ${method} was sent`);
    return found;
  };
  return {
    stage,
    signalling,
    done,
    started,
    timers,
    last,
    /** The events since the last look. */
    take: () => done.splice(0),
    sent: () => stage.requests().map(({ method }) => method),
    /** An INVITE of the peer outside a dialog. */
    begin(extra: readonly string[] = OFFERS, body = SDP): boolean {
      stage.receive(requestText({ method: 'INVITE', extra, body }), flow);
      if (server === undefined) throw new Error('no INVITE came');
      const { request } = stage.delivered.at(-1) ?? {};
      return request !== undefined && signalling.begin(request, server);
    },
    /** A request of the peer in the dialog of a call that came in, or of ours. */
    request(method: string, cseq: number, { extra = [], by = flow, body = '' }: Reply = {}, tag = INCOMING) {
      const text = requestText({
        method,
        branch: `z9hG4bK${method}${cseq}`,
        cseq: `${cseq} ${method}`,
        ...(tag === INCOMING
          ? { to: `<sip:receiver@192.0.2.254>;tag=${stage.responses().at(-1)?.to.tag}` }
          : { from: `<sip:peer@192.0.2.1>;tag=${tag}`, to: '<sip:us@192.0.2.254>;tag=ours' }),
        extra,
        body,
      });
      stage.receive(text, by);
      if (method === 'ACK') {
        const ack = stage.acks.at(-1);
        if (ack !== undefined) signalling.acknowledged(tag, ack);
        return;
      }
      const { request } = stage.delivered.at(-1) ?? {};
      if (request === undefined || server === undefined) throw new Error(`no ${method} came`);
      signalling.requested(tag, request, server);
    },
    /** The response of a peer to the last request of this method. */
    reply(
      method: string,
      status: number,
      { tag = 'theirs', extra = [CONTACT], by = flow, body = '' }: Reply = {},
    ) {
      const request = last(method);
      const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.header(name)}`);
      const to = request.to.tag === undefined && tag !== '' ? `;tag=${tag}` : '';
      stage.receive(
        [
          `SIP/2.0 ${status} Said`,
          ...copied,
          `To: ${request.header('To')}${to}`,
          ...extra,
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
        by,
      );
    },
    /** Lets time pass from deadline to deadline, of transactions and of the leg. */
    pass(ms: number): void {
      stage.pass(ms, timers);
    },
  };
}

export type Room = ReturnType<typeof room>;
