import type { Answer, HeaderFields } from '../message/index.ts';
import { SDP, type WrittenPart, writeParts } from '../sdp/index.ts';
import { type Content, nextRequest, requestIn } from './dialog.ts';
import {
  andThen,
  type EndCause,
  type Server,
  type Session,
  type SessionEffect,
  type SessionStep,
  to,
} from './session.ts';
import { type AgreedTimer, expiryMs, refreshMs, timerRequest } from './session-timer.ts';

/** Option tags we understand in INVITE and UPDATE. */
export const SUPPORTED = '100rel, replaces, timer';

export const withSdp = (headers: HeaderFields, sdp: Uint8Array | undefined): Content =>
  sdp === undefined ? { headers } : { headers: [...headers, ['Content-Type', SDP]], body: sdp };

/** The same with more beside the description, in a body of several parts (RFC 3261 7.4.1; RFC 7866 9.1; RFC 6442 4.1). */
export function withBeside(
  headers: HeaderFields,
  sdp: Uint8Array | undefined,
  beside: readonly WrittenPart[],
): Content {
  if (sdp === undefined || beside.length === 0) return withSdp(headers, sdp);
  const { type, body } = writeParts([{ type: SDP, content: sdp }, ...beside]);
  return { headers: [...headers, ['Content-Type', type]], body };
}

/** Contact, what we can, and the session timer: of INVITE, re-INVITE and UPDATE. */
export const changeHeaders = ({ settings, timer, minSe }: Session): HeaderFields => [
  ['Contact', settings.contact],
  ['Allow', settings.allow.join(', ')],
  ['Supported', SUPPORTED],
  ...timerRequest(settings.timer, timer, minSe),
];

export function sendRequest(state: Session, method: string, content: Content, id?: string): SessionStep {
  const { dialog, outgoing } = nextRequest(state.dialog, method, content);
  const ref = { method, cseq: dialog.localSeq, ...(id === undefined ? {} : { id }) };
  return to({ ...state, dialog }, { kind: 'request', ref, outgoing });
}

export const respond = (state: Session, server: Server, answer: Answer): SessionEffect => ({
  kind: 'respond',
  server,
  answer: { ...answer, toTag: state.dialog.localTag },
});

/** RFC 3261 14.2: any number of seconds up to ten. Chosen: it is drawn from the peer's CSeq. */
export const busy = (state: Session, server: Server, cseq: number): SessionEffect =>
  respond(state, server, { status: 500, headers: [['Retry-After', String((cseq * 7) % 11)]] });

export const tooBrief = (state: Session, server: Server): SessionEffect =>
  respond(state, server, { status: 422, headers: [['Min-SE', String(state.settings.timer.minSeS)]] });

/** Fields that answer a challenge. */
export const credentialsIn = (headers: HeaderFields): HeaderFields =>
  headers.filter(([name]) => name === 'Authorization' || name === 'Proxy-Authorization');

/** ACK of a 2xx (13.2.2.4): kept, because every repeated 2xx gets it again. It is never challenged itself (22.1). */
export function acknowledge(state: Session, cseq: number, sdp?: Uint8Array): SessionStep {
  const outgoing = requestIn(state.dialog, 'ACK', cseq, withSdp(state.credentials, sdp));
  return to({ ...state, lastAck: { cseq, outgoing } }, { kind: 'acknowledge', outgoing });
}

export const prack = (
  state: Session,
  { rseq, cseq }: { readonly rseq: number; readonly cseq: number },
  sdp?: Uint8Array,
): SessionStep => sendRequest(state, 'PRACK', withSdp([['RAck', `${rseq} ${cseq} INVITE`]], sdp));

/** The session is alive: its timers begin again. */
export function refreshed(state: Session, timer: AgreedTimer | undefined): SessionStep {
  if (timer === undefined) return to(state);
  return to(
    { ...state, timer },
    timer.weRefresh
      ? { kind: 'start', timer: 'refresh', ms: refreshMs(timer) }
      : { kind: 'stop', timer: 'refresh' },
    { kind: 'start', timer: 'expiry', ms: expiryMs(timer) },
  );
}

const TIMERS = ['1xx', '2xx', 'retry', 'refresh', 'expiry'] as const;
const stopAll: readonly SessionEffect[] = TIMERS.map((timer) => ({ kind: 'stop', timer }));

/** Answers what is still open (15.1.2: pending requests get 487) and forgets every change. */
export function dropPending(state: Session, status = 487): SessionStep {
  const open = [state.pendingInvite, state.pendingOffer].filter((pending) => pending !== undefined);
  return to(
    {
      ...state,
      pendingInvite: undefined,
      pendingOffer: undefined,
      unacknowledged: undefined,
      provisional: undefined,
      prackDue: undefined,
      waiting: [],
      change: undefined,
      composing: undefined,
      byeWanted: undefined,
      exchange: { state: 'Stable', by: 'INVITE' },
    },
    ...open.map(({ server }) => respond(state, server, { status })),
    ...stopAll,
  );
}

export const ended = (state: Session, cause: EndCause): SessionStep =>
  to({ ...state, phase: 'Ended' }, { kind: 'ended', cause });

/** Ends a confirmed session by BYE; an ACK that is due goes first, so that the peer stops repeating its 2xx. */
export function sendBye(state: Session, cause: EndCause, headers: HeaderFields = []): SessionStep {
  const { ackDue } = state;
  const acked = ackDue === undefined ? to(state) : acknowledge({ ...state, ackDue: undefined }, ackDue);
  return andThen(andThen(acked, dropPending), (quiet) =>
    andThen(sendRequest(quiet, 'BYE', { headers }), (bye) =>
      to({ ...bye, phase: 'Ending' }, { kind: 'ended', cause }),
    ),
  );
}
