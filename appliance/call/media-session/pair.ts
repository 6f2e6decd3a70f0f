import type { CallDecision } from '#shared/contract/callback/index.ts';
import { asksAbout } from './ask.ts';
import { ended, otherOf } from './end.ts';
import { monitored } from './monitor.ts';
import { type Draft, inPhase, newParty, type Party } from './state/media-session.ts';
import type { ParticipantId, QueueAnswer, SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

/*
 * Two parties, of whom one is called for the other:
 *
 *   beforeConnect: the caller is answered and hears its greeting ─▶ dial
 *   dial ─ rang: the caller gets 18x, and hears what ringbackTone says ─ answered ─▶ the caller is answered, too
 *        ─ failed: callEvent for the caller
 *   both on the line ─ onAnswer, onAnswerSimultaneous: each hears its own ─▶ joined: callAnswered
 */

export const hears = ({ greeting }: CallDecision, side: 'caller' | 'callee') =>
  greeting?.[side]?.phrases ?? [];

/** Calls another party for a party. */
export function rung(d: Draft, party: Party, decision: CallDecision): void {
  const callee = d.newParticipant();
  d.put({ ...inPhase(party, 'Waiting'), attempt: { callee, decision } });
  d.put({
    ...newParty({ id: callee, role: 'callee', direction: 'out', phase: 'Ringing' }),
    forWhom: party.id,
  });
  const { action, greeting: _, destAddr = '', ...words } = decision;
  d.emit({
    kind: 'dial',
    participant: callee,
    destAddr: String(destAddr),
    words,
    near: party.id,
    ...(action === 'httpcall' && { http: true }),
  });
}

/** `beforeConnect`: the caller hears its greeting, then the callee is dialled. */
export function greeted(d: Draft, party: Party, decision: CallDecision): void {
  const play = `greeting-${++d.marks}`;
  d.put({ ...inPhase(party, 'Greeting'), play, next: { kind: 'decision', decision } });
  d.emit({ kind: 'play', play, participant: party.id, phrases: hears(decision, 'caller') });
}

export function rang(d: Draft, { participant, status, early }: Of<'rang'>): void {
  const party = d.parties.get(participant);
  if (party?.phase !== 'Ringing' || status === 100) return;
  const now = d.put({ ...party, rang: true, early: party.early || early });
  const remote = party.forWhom ?? party.agent?.caller;
  if (!party.rang) {
    const monitoring = party.role === 'monitor';
    d.emit({
      kind: 'report',
      report: {
        callback: 'callNotify',
        event: 'ringing',
        participant,
        monitoring,
        ...(remote !== undefined && { remote }),
      },
    });
  }
  const caller = remote === undefined ? undefined : d.parties.get(remote);
  if (caller === undefined || caller.answered) return;
  const tone = caller.attempt?.decision.ringbackTone ?? 'early';
  const passes = tone === 'early';
  // The last response to the caller is in force: only the first ringing and the first audio are new.
  if (party.rang && !(passes && now.early && !party.early)) return;
  const hearsUs = passes ? now.early : true;
  d.emit({ kind: 'ring', participant: caller.id, status: hearsUs ? 183 : status, early: hearsUs });
}

/** Both are on the line: greetings first. */
export function met(d: Draft, caller: Party, calleeId: ParticipantId): void {
  const callee = d.parties.get(calleeId);
  const decision = caller.attempt?.decision;
  if (callee === undefined || decision === undefined) return;
  const mode = decision.greeting?.playMode;
  const toCaller = mode === 'beforeConnect' ? [] : hears(decision, 'caller');
  const toCallee = hears(decision, 'callee');
  if (toCaller.length === 0 && toCallee.length === 0) {
    joined(d, caller, callee);
    return;
  }
  const together = mode === 'onAnswerSimultaneous' ? `together-${++d.marks}` : undefined;
  const greet = (party: Party, phrases: typeof toCaller): void => {
    const play = phrases.length === 0 ? undefined : `greeting-${++d.marks}`;
    d.put({ ...party, phase: 'Greeting', ...(play !== undefined && { play }) });
    if (play !== undefined)
      d.emit({
        kind: 'play',
        play,
        participant: party.id,
        phrases,
        ...(together !== undefined && { together }),
      });
  };
  greet(caller, toCaller);
  greet(callee, toCallee);
}

/** A greeting was heard to its end. True: it was one of ours. */
export function greetingOver(d: Draft, { play, faults }: Of<'played'>): boolean {
  const party = [...d.parties.values()].find((each) => each.play === play);
  if (party === undefined) return false;
  for (const { alarm, reason } of faults)
    d.emit({ kind: 'alarm', type: 'ivrCommandError', error: alarm, reason, participant: party.id });
  const { play: _, ...quiet } = party;
  d.put(quiet);
  if (quiet.next?.kind === 'decision') {
    rung(d, quiet, quiet.next.decision);
    return true;
  }
  const other = otherOf(d, quiet);
  if (other === undefined || other.play !== undefined) return true;
  if (quiet.attempt === undefined) joined(d, other, quiet);
  else joined(d, quiet, other);
  return true;
}

/** `queue`: the callee is an agent. */
export function joined(d: Draft, caller: Party, callee: Party, queue?: QueueAnswer): void {
  const id = d.newConnection();
  d.link({ id, kind: 'pair', caller: caller.id, callee: callee.id });
  for (const party of [caller, callee]) {
    d.put({ ...inPhase(party, 'Joined'), connection: id });
    d.emit({ kind: 'direct', participant: party.id, direction: 'sendrecv' });
  }
  d.emit({
    kind: 'report',
    report: {
      callback: 'callAnswered',
      connection: id,
      caller: caller.id,
      callee: callee.id,
      monitoring: false,
      ...(queue && { queue }),
    },
  });
  monitored(d, caller.id);
}

/** A called party was not reached. */
export function failed(d: Draft, input: Of<'failed'>): void {
  const { participant, status, reason, invalidAddress, invalidSdp } = input;
  const party = d.parties.get(participant);
  if (party?.phase !== 'Ringing') return;
  if (invalidAddress !== undefined)
    d.emit({
      kind: 'alarm',
      type: 'callError',
      error: `Invalid sip address: ${invalidAddress}`,
      reason,
      participant,
      status,
    });
  if (invalidSdp === true)
    d.emit({ kind: 'alarm', type: 'callError', error: 'invalidSdp', reason, participant, status });
  d.parties.delete(participant);
  if (party.role === 'monitor') return;
  const why = { event: 'calledPartyDrop', participant, sipStatus: status, sipReason: reason } as const;
  const caller = party.forWhom === undefined ? undefined : d.parties.get(party.forWhom);
  if (caller !== undefined) {
    asksAbout(d, caller, { ...why, remaining: caller.id });
    return;
  }
  // The caller of an agent waits in its queue, for the next one.
  d.emit({ kind: 'report', report: { callback: 'callEvent', ...why } });
  d.reason = 'notAnswered';
  ended(d);
}
