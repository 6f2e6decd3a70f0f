import type { CallInput } from './call-input.ts';
import { type CallPhase, type CallSession, type CallStep, finish, ignore, to } from './call-session.ts';
import { answered, dial, failed, progressed, rangLong } from './dialling.ts';
import { failedWith, NORMAL, TOO_LONG } from './reason.ts';
import { onAudio, silent, stillSilent, unanswered } from './silence.ts';
import { broken, digit, ended, held } from './talking.ts';
import { bequeath, give, inherit, notReplaced, refer, replace, take, transferLate } from './transfer.ts';

/*
 * One call of two parties, of which one may be ourselves.
 *
 *                 dial              answered: accept
 *   +---------+ -------> +----------+ ------------------------+
 *   | Arrived |          | Dialling |                         V
 *   +---------+ <- - - - +----------+                     +---------+
 *        | attend   not reached,  |                       | Talking |
 *        |          caller kept   | attend                +---------+
 *        V                        V         answered        ^  |  | the peer left, caller kept
 *   +----------+  dial   +---------+ -----------------------+  |  |
 *   | Attended | ------> | Seeking |                           |  |
 *   +----------+ <------ +---------+ <-------------------------+  |
 *        ^      not reached            dial; who transferred left |
 *        +--------------------------------------------------------+
 *
 *   Placing: a call of our own. dial, then answered ──▶ Attended
 *
 *   every state ── the party left, hang up, too long, silence (silence.ts), no callee reached ──▶ Ended
 *
 * A transfer runs beside Talking (transfer.ts); dialling.ts draws how groups of callees follow each other.
 */
type Kind = CallInput['kind'];
type Row<K extends Kind> = (state: CallSession, input: Extract<CallInput, { readonly kind: K }>) => CallStep;
type Rows = { readonly [K in Kind]: Row<K> };

const not =
  (reason: string) =>
  (state: CallSession): CallStep =>
    ignore(state, reason);

const ALONE = 'nobody is on the other side';
const NOTHING_RINGS = 'nobody rings';
const OVER = 'the call is over';

const withRefusal = (status: number, text = `refused with ${status}`) => failedWith(status, text);
/** 300 to 699 to a caller that waits. */
const refused: Row<'refuse'> = (state, { status, text }) => {
  const over = finish({ ...state, phase: 'Ended' }, withRefusal(status, text), state.party);
  const refusal = { kind: 'refuse', leg: state.party, status, ...(text !== undefined && { text }) } as const;
  return to(over.state, refusal, ...over.effects);
};
const hungUp: Row<'hangUp'> = (state, { reason = NORMAL }) => finish(state, reason);
const notReferred: Row<'refer'> = (state, { leg }) => to(state, { kind: 'referAnswered', leg, status: 481 });
/** No other call ends the legs that came along. */
const notTaken: Row<'take'> = (state, { leg, taken }) =>
  to(state, { kind: 'referAnswered', leg, status: 481 }, { kind: 'end', leg: taken });
const notReplacedBy =
  (status: number): Row<'replace'> =>
  (state, { leg }) =>
    notReplaced(state, leg, status);

const ARRIVED: Rows = {
  dial: (state, input) => dial({ ...state, phase: 'Dialling' }, input),
  attend: (state) => to({ ...state, phase: 'Attended' }, { kind: 'accept', leg: state.party }),
  refuse: refused,
  hangUp: (state, { reason = NORMAL }) => refused(state, { kind: 'refuse', status: 480, text: reason.text }),
  progressed: not(NOTHING_RINGS),
  answered,
  failed: not(NOTHING_RINGS),
  acknowledged: not('the caller has no answer yet'),
  ended,
  held: not(ALONE),
  digit: not(ALONE),
  refer: notReferred,
  take: notTaken,
  inherit,
  bequeath: not(NOTHING_RINGS),
  replace: notReplacedBy(481),
  give,
  silent: not('nothing was answered yet'),
  heard: not('nothing was answered yet'),
  unanswered: not('nothing was answered yet'),
  broken,
  timer: not('nothing runs'),
};

const PLACING: Rows = {
  ...ARRIVED,
  dial,
  attend: not('nobody has called'),
  refuse: (state, { status, text }) => finish(state, withRefusal(status, text)),
  hangUp: hungUp,
  progressed,
  failed,
  ended: not('a leg that is no part of this call'),
  give: not('a leg that is no part of this call'),
  replace,
  timer: (state, { timer }) =>
    timer === 'ring' ? rangLong(state) : ignore(state, 'a timer of a later state'),
};

const DIALLING: Rows = {
  ...ARRIVED,
  dial,
  attend: (state) => to({ ...state, phase: 'Seeking' }, { kind: 'accept', leg: state.party }),
  progressed,
  failed,
  replace,
  bequeath,
  timer: (state, { timer }) =>
    timer === 'ring' ? rangLong(state) : ignore(state, 'a timer of a later state'),
};

const ATTENDED: Rows = {
  ...ARRIVED,
  dial: (state, input) => dial({ ...state, phase: 'Seeking' }, input),
  attend: not('the caller has its answer'),
  refuse: (state, { status, text }) => finish(state, withRefusal(status, text)),
  hangUp: hungUp,
  acknowledged: (state, { leg }) =>
    leg === state.party
      ? to(state, { kind: 'tell', progress: { kind: 'attended' } })
      : ignore(state, 'only the caller waits for an ACK of ours'),
  silent,
  heard: onAudio,
  unanswered,
  timer: (state, { timer }) => (timer === 'silence' ? stillSilent(state) : ignore(state, 'nothing runs')),
};

const SEEKING: Rows = {
  ...ATTENDED,
  dial,
  progressed,
  failed,
  replace,
  bequeath: not('the caller has its answer'),
  timer: (state, { timer }) => {
    if (timer === 'silence') return stillSilent(state);
    return timer === 'ring' ? rangLong(state) : ignore(state, 'a timer of another state');
  },
};

const TALKING: Rows = {
  ...SEEKING,
  dial: (state, input) => {
    // Another party instead of the peer.
    const { peer } = state;
    const parted = peer === undefined ? [] : [{ kind: 'end', leg: peer } as const];
    const next = dial({ ...state, phase: 'Seeking', peer: undefined, transfer: undefined }, input);
    return to(next.state, ...parted, { kind: 'stopTimer', timer: 'duration' }, ...next.effects);
  },
  held,
  digit,
  refer,
  take,
  bequeath: not('two people talk'),
  timer: (state, { timer }) => {
    if (timer === 'duration') return finish(state, TOO_LONG);
    if (timer === 'silence') return stillSilent(state);
    return timer === 'refer' ? transferLate(state) : rangLong(state);
  },
};

const ENDED: Rows = {
  dial: not(OVER),
  attend: not(OVER),
  refuse: not(OVER),
  hangUp: not(OVER),
  progressed: not(OVER),
  // It answered while it was being cancelled.
  answered,
  failed: not(OVER),
  acknowledged: not(OVER),
  ended: not(OVER),
  held: not(OVER),
  digit: not(OVER),
  refer: notReferred,
  take: notTaken,
  inherit,
  bequeath: not(OVER),
  // 3891 3: the dialog was there, and is over.
  replace: notReplacedBy(603),
  give: not(OVER),
  silent: not(OVER),
  heard: not(OVER),
  unanswered: not(OVER),
  broken: not(OVER),
  timer: not(OVER),
};

const TABLE: { readonly [P in CallPhase]: Rows } = {
  Placing: PLACING,
  Arrived: ARRIVED,
  Dialling: DIALLING,
  Attended: ATTENDED,
  Seeking: SEEKING,
  Talking: TALKING,
  Ended: ENDED,
};

/** The machine of a call: its table, for tests that walk it, and one input to completion. */
export const callSession = {
  table: TABLE,
  step: (state: CallSession, input: CallInput): CallStep =>
    (TABLE[state.phase][input.kind] as Row<Kind>)(state, input),
};
