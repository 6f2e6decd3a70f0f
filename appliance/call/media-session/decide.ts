import type { CallDecision } from '#shared/contract/callback/index.ts';
import { conferenceJoined } from './conference.ts';
import { emergency } from './emergency.ts';
import { dropped } from './end.ts';
import { ivrBegun, ivrDissolved } from './ivr-link.ts';
import { connectRefusal, targetOf } from './join-refusal.ts';
import { greeted, hears, joined, rung } from './pair.ts';
import { type Draft, inPhase, type Next, type Party } from './state/media-session.ts';
import type { BadAnswer, JoinRefusal, MoveTarget, SessionInput } from './state/session-input.ts';

type Of<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

/** Final response to a caller that the application drops (decisions 5). */
const DROP_CODE = 603;
/** Chosen: 480 and not 503, which would make the caller's proxy avoid this appliance. */
const UNDECIDED = 480;

export function decided(d: Draft, { request, answer }: Of<'decided'>): void {
  const party = [...d.parties.values()].find((each) => each.request?.number === request);
  // It has hung up meanwhile, or another party was connected with it.
  if (party === undefined) return;
  if (answer.kind === 'good') decide(d, party, answer.value);
  else undecided(d, party, answer);
}

/** No usable answer (decisions 4.1, 5): the emergency destination where there is one, else the party is dropped. */
function undecided(d: Draft, party: Party, { error, reason, status }: BadAnswer): void {
  const type = party.request?.of === 'newCall' ? 'newCallEventError' : 'callEventError';
  d.emit({
    kind: 'alarm',
    type,
    error,
    reason,
    participant: party.id,
    ...(status !== undefined && { status }),
  });
  if (type === 'newCallEventError' && emergency(d, party, 'triggeredByError', reason)) return;
  d.reason = type;
  dropped(d, party, UNDECIDED);
}

function decide(d: Draft, party: Party, decision: CallDecision): void {
  if (decision.sessionReferenceId !== undefined) d.reference = decision.sessionReferenceId;
  const { monitorDestAddr: destAddr, monitorPHeaders, monitorXHeaders, monitorSipFrom } = decision;
  if (destAddr !== undefined && d.monitor === undefined)
    d.monitor = {
      destAddr,
      ...(monitorPHeaders && { pHeaders: monitorPHeaders }),
      ...(monitorXHeaders && { xHeaders: monitorXHeaders }),
      ...(monitorSipFrom !== undefined && { sipFrom: monitorSipFrom }),
    };
  const { callRecording, recordingFileName, recordingChannels } = decision;
  const recording =
    callRecording === true && party.recording === undefined
      ? {
          id: d.newRecording(),
          fileName: recordingFileName ?? `${d.setting.sessionId}.wav`,
          channels: recordingChannels,
          paused: false,
        }
      : party.recording;
  act(d, { ...party, ...(recording && { recording }) }, decision);
}

/** A caller may wait unanswered for its callee; every other action needs audio first. */
function act(d: Draft, party: Party, decision: CallDecision): void {
  const { action, greeting, dropCode } = decision;
  if (action === 'drop') {
    d.reason = 'drop';
    dropped(d, party, Number(dropCode ?? DROP_CODE));
    return;
  }
  const greetsFirst = greeting?.playMode === 'beforeConnect' && hears(decision, 'caller').length > 0;
  if ((action === 'call' || action === 'httpcall') && !greetsFirst)
    rung(d, inPhase(party, 'Waiting'), decision);
  else if (party.answered) carriedOut(d, party, decision);
  else {
    const next = { kind: 'decision', decision } as const;
    const target = targetOf(next);
    if (target === undefined) answer(d, party, next);
    else {
      d.put({ ...inPhase(party, 'Waiting'), next });
      d.emit({ kind: 'check', participant: party.id, target });
    }
  }
}

function answer(d: Draft, party: Party, next: Next): void {
  d.put({ ...inPhase(party, 'Answering'), next });
  d.emit({ kind: 'accept', participant: party.id });
}

/** A caller without an answer can be joined with what its decision names, or not. */
export function checked(d: Draft, { participant, refusal }: Of<'checked'>): void {
  const party = d.parties.get(participant);
  if (party?.phase !== 'Waiting' || party.next === undefined) return;
  if (refusal === undefined) answer(d, party, party.next);
  else cannot(d, party, refusal);
}

/** The party is on the line. */
export function carriedOut(d: Draft, party: Party, decision: CallDecision): void {
  switch (decision.action) {
    case 'call':
    case 'httpcall':
      greeted(d, party, decision);
      return;
    case 'ivr':
      ivrBegun(d, party, false);
      return;
    case 'connect':
    case 'joinconferenceconnection': {
      const target = targetOf({ kind: 'decision', decision });
      if (target !== undefined) moved(d, party, target);
      return;
    }
    case 'drop':
      dropped(d, party, Number(decision.dropCode ?? DROP_CODE));
  }
}

/** Moves a party to another one of this session, or to the session that has the target. */
export function moved(d: Draft, party: Party, target: MoveTarget): void {
  const known =
    target.kind === 'connect' ? d.parties.has(target.participant) : d.connections.has(target.connection);
  if (!known) {
    d.put(inPhase(party, 'Waiting'));
    d.emit({ kind: 'move', participant: party.id, target });
    return;
  }
  const against =
    target.kind === 'connect' ? connected(d, party, target) : conferenceJoined(d, party, target);
  if (against !== undefined) cannot(d, party, against);
}

/** Joins a party that waits in this session: its IVR leaves, or the pending question about it is settled. */
function connected(
  d: Draft,
  party: Party,
  { participant }: { readonly participant: string },
): JoinRefusal | undefined {
  const refusal = connectRefusal(d, participant, party.id);
  const other = d.parties.get(participant);
  if (refusal !== undefined || other === undefined) return refusal;
  const parked = other.connection === undefined ? undefined : d.connections.get(other.connection);
  if (parked?.kind === 'ivr') ivrDissolved(d, parked);
  joined(d, party, other);
  return undefined;
}

/** The decision of the application cannot be carried out. */
export function cannot(d: Draft, party: Party, { error, reason, status }: JoinRefusal): void {
  d.emit({ kind: 'alarm', type: 'callEventError', error, reason, participant: party.id, status });
  d.reason = error;
  dropped(d, party, status, reason);
}
