import { announced } from './announcement.ts';
import { asksAbout } from './ask.ts';
import { cannot, checked, decided, moved } from './decide.ts';
import { emergency } from './emergency.ts';
import { ended } from './end.ts';
import {
  commanded,
  digit,
  ivrDissolved,
  ivrPlayed,
  ivrRecordingEnded,
  ivrSpeechBegan,
  ivrSpeechEnded,
  ivrTimer,
  silent,
} from './ivr-link.ts';
import { joinRefusal } from './join-refusal.ts';
import { mediaFailed, participantLeft, tooLong } from './leave.ts';
import { answered } from './on-line.ts';
import { operated } from './operation.ts';
import { failed, greetingOver, rang } from './pair.ts';
import { agentFree, agentWithdrawn, queueOver, queuePlace } from './queue-link.ts';
import { streamEnded } from './session-stream.ts';
import { Draft, inPhase, type MediaSession, newParty } from './state/media-session.ts';
import type { SessionEffect, SessionInput } from './state/session-input.ts';

export interface SessionStep {
  readonly state: MediaSession;
  readonly effects: readonly SessionEffect[];
}

type Kind = SessionInput['kind'];
type Row<K extends Kind> = (draft: Draft, input: Extract<SessionInput, { readonly kind: K }>) => void;

/** The step for each input; every one looks at the phase of the participant it concerns. */
const TABLE: { readonly [K in Kind]: Row<K> } = {
  begin,
  decided,
  commanded,
  rang,
  answered,
  failed,
  gone: participantLeft,
  held,
  digit,
  played: (d, input) => {
    if (!announced(d, input) && !greetingOver(d, input)) ivrPlayed(d, input);
  },
  silent,
  recordingEnded: (d, input) => {
    ivrRecordingEnded(d, input);
    forget(d, input.recording);
  },
  streamEnded,
  agentFree,
  agentWithdrawn,
  queueOver,
  queuePlace,
  speechBegan: ivrSpeechBegan,
  speechEnded: ivrSpeechEnded,
  mediaFailed,
  timer: (d, { timer }) => {
    if (timer === 'session') tooLong(d);
    else ivrTimer(d, timer);
  },
  give,
  adopt,
  unmoved: (d, { participant, refusal }) => {
    const party = d.parties.get(participant);
    if (party?.phase === 'Waiting' && party.attempt === undefined) cannot(d, party, refusal);
  },
  checked,
  operation: (d, { id, ask }) => operated(d, id, ask),
};

/** One input to completion. Nothing happens to a session that has ended but that operations are refused. */
export function step(state: MediaSession, input: SessionInput): SessionStep {
  const draft = new Draft(state, input.atMs);
  if (!state.ended || input.kind === 'operation') (TABLE[input.kind] as Row<Kind>)(draft, input);
  return { state: draft.state, effects: draft.effects };
}

function begin(d: Draft): void {
  const [party] = d.parties.values();
  if (party === undefined) return;
  d.emit({ kind: 'startTimer', timer: 'session', ms: d.setting.longestMs });
  if (party.direction === 'out') {
    const { destAddr = '', ...words } = d.placing ?? {};
    d.emit({ kind: 'dial', participant: party.id, destAddr: String(destAddr), words });
    return;
  }
  const { emergencyFallback } = d.setting;
  const always = 'emergencyFallback of the media service is always';
  if (emergencyFallback === 'always' && emergency(d, party, 'triggeredByAlways', always)) return;
  asksAbout(d, party);
}

/** The direction offered to one side, by the direction that the other one wants (as in `call/session`). */
const FOR_OTHER = {
  sendrecv: 'sendrecv',
  recvonly: 'sendonly',
  sendonly: 'recvonly',
  inactive: 'inactive',
} as const;

function held(d: Draft, { participant, direction, by }: Extract<SessionInput, { kind: 'held' }>): void {
  const party = d.parties.get(participant);
  if (party === undefined) return;
  const connection = party.connection === undefined ? undefined : d.connections.get(party.connection);
  const other =
    connection?.kind === 'pair'
      ? connection.caller === participant
        ? connection.callee
        : connection.caller
      : undefined;
  if (other !== undefined) d.emit({ kind: 'direct', participant: other, direction: FOR_OTHER[direction] });
  const monitoring = party.role === 'monitor';
  d.emit({
    kind: 'report',
    report: {
      callback: 'callNotify',
      event: by,
      participant,
      monitoring,
      ...(other !== undefined && { remote: other }),
    },
  });
}

/** A recording that ended by itself is none any more. */
function forget(d: Draft, recording: string): void {
  for (const connection of d.connections.values())
    if (connection.recording?.id === recording) {
      const { recording: _, ...rest } = connection;
      d.connections.set(connection.id, rest as typeof connection);
    }
  for (const party of d.parties.values())
    if (party.recording?.id === recording) {
      const { recording: _, ...rest } = party;
      d.put(rest);
    }
}

function give(d: Draft, { participant }: Extract<SessionInput, { kind: 'give' }>): void {
  const party = d.parties.get(participant);
  if (party === undefined) return;
  const connection = party.connection === undefined ? undefined : d.connections.get(party.connection);
  if (connection?.kind === 'ivr') ivrDissolved(d, connection);
  d.parties.delete(participant);
  d.reason = 'moved';
  ended(d);
}

function adopt(d: Draft, { participant, target }: Extract<SessionInput, { kind: 'adopt' }>): void {
  const { id, answered: up, direction } = participant;
  const role = direction === 'in' ? 'caller' : 'callee';
  const party = { ...newParty({ id, role, direction, phase: 'Waiting' }), answered: up };
  d.put(party);
  // Its place may have been taken on the way here.
  const refusal = joinRefusal(d, target, 0);
  if (refusal === undefined) moved(d, inPhase(party, 'Waiting'), target);
  else cannot(d, party, refusal);
}
