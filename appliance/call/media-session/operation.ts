import { fail, ok, type Result } from '#shared/result.ts';
import { announce } from './announcement.ts';
import { asksAbout } from './ask.ts';
import { ivrHalted, ivrInterrupted, ivrLeft, ivrs } from './ivr-link.ts';
import { left } from './leave.ts';
import { failed } from './pair.ts';
import { startStream, stopStream } from './session-stream.ts';
import type {
  Conference,
  Connection,
  Draft,
  IvrConnection,
  Party,
  Recording,
} from './state/media-session.ts';
import type { Operation, OperationGain, Refusal } from './state/session-input.ts';

type Done = Result<OperationGain, Refusal>;
type Of<K extends Operation['kind']> = Extract<Operation, { readonly kind: K }>;

const DONE: Done = ok({});
const noParticipant = (id: string): Done =>
  fail('participantUnknown', `there is no participant ${id} in this session`, '/participantId');
const noConnection = (id: string): Done =>
  fail('connectionUnknown', `there is no connection ${id} in this session`, '/connectionId');
const conflict = (reason: string): Done => fail('conflict', reason);

/** The operations of an application on a running session (media document 4.1). */
export function operated(d: Draft, id: string, ask: Operation): void {
  const result = perform(d, ask);
  d.emit({ kind: 'reply', id, result });
}

function perform(d: Draft, ask: Operation): Done {
  switch (ask.kind) {
    case 'hangUp':
      return hangUp(d, ask);
    case 'hangUpRemote':
      return hangUpRemote(d, ask);
    case 'interrupt':
      return interrupt(d, ask);
    case 'split':
      return split(d, ask);
    case 'createConference':
      return createConference(d, ask);
    case 'leaveConference':
      return leaveConference(d, ask);
    case 'conferenceParticipant':
      return changeParticipant(d, ask);
    case 'startRecording':
      return startRecording(d, ask);
    case 'announce':
      return announce(d, ask);
    case 'startStream':
      return startStream(d, ask);
    case 'stopStream':
      return stopStream(d, ask);
    default:
      return controlRecording(d, ask);
  }
}

/** A party that the application hangs up has left like one that hung up itself. */
function hungUp(d: Draft, party: Party): Done {
  d.emit({ kind: 'drop', participant: party.id });
  if (party.phase === 'Ringing') {
    const reason = 'the application hung up before the answer';
    failed(d, { kind: 'failed', participant: party.id, status: 487, reason, atMs: d.atMs });
  } else left(d, party);
  return DONE;
}

function hangUp(d: Draft, { participant }: Of<'hangUp'>): Done {
  const party = d.parties.get(participant);
  if (party !== undefined) return hungUp(d, party);
  const connection = ivrs(d).find(({ ivr }) => ivr === participant);
  if (connection === undefined) return noParticipant(participant);
  ivrLeft(d, connection);
  return DONE;
}

function hangUpRemote(d: Draft, { participant }: Of<'hangUpRemote'>): Done {
  const asIvr = ivrs(d).find(({ ivr }) => ivr === participant);
  const party = d.parties.get(asIvr?.party ?? participant);
  if (party === undefined) return noParticipant(participant);
  if (asIvr !== undefined) return hungUp(d, party);
  const connection = party.connection === undefined ? undefined : d.connections.get(party.connection);
  if (connection?.kind === 'ivr') {
    ivrLeft(d, connection);
    return DONE;
  }
  const otherId =
    connection?.kind === 'pair'
      ? connection.caller === party.id
        ? connection.callee
        : connection.caller
      : (party.attempt?.callee ?? party.forWhom);
  const other = otherId === undefined ? undefined : d.parties.get(otherId);
  return other === undefined ? conflict(`${participant} has no other party now`) : hungUp(d, other);
}

/** The second of two interrupts finds the command interrupted, as it asked for. */
function interrupt(d: Draft, { refers, request }: Of<'interrupt'>): Done {
  const connection = ivrs(d).find(({ id, party, ivr }) => [id, party, ivr].includes(refers));
  if (connection === undefined) return conflict('no IVR is connected there any more');
  if (request === undefined || request === connection.machine.request) ivrInterrupted(d, connection);
  return DONE;
}

function split(d: Draft, { connection: id }: Of<'split'>): Done {
  const connection = d.connections.get(id);
  if (connection === undefined) return noConnection(id);
  if (connection.kind === 'conference') return conflict('use leaveconference for who is in a conference');
  if (connection.kind === 'ivr') return splitIvr(d, connection);
  d.connections.delete(id);
  const parts = [
    [connection.caller, 'callerConnectionSplit'],
    [connection.callee, 'calleeConnectionSplit'],
  ] as const;
  for (const [participant, event] of parts) {
    const party = d.parties.get(participant);
    if (party !== undefined)
      asksAbout(d, party, { event, participant, remaining: participant, connection: id });
  }
  return DONE;
}

function splitIvr(d: Draft, connection: IvrConnection): Done {
  const { id, party: participant, called } = connection;
  const dtmfParams = ivrHalted(d, connection);
  const party = d.parties.get(participant);
  const event = called ? 'calleeConnectionSplit' : 'callerConnectionSplit';
  if (party !== undefined)
    asksAbout(d, party, {
      event,
      participant,
      remaining: participant,
      connection: id,
      ...(dtmfParams && { dtmfParams }),
    });
  return DONE;
}

function createConference(d: Draft, ask: Of<'createConference'>): Done {
  const { beep, maxParticipants: most, recordingFileName: fileName } = ask;
  const id = d.newConnection();
  const recording: Recording | undefined =
    fileName === undefined ? undefined : { id: d.newRecording(), fileName, paused: false };
  d.link<Conference>({
    kind: 'conference',
    id,
    beep,
    most,
    members: new Map(),
    ...(recording && { recording }),
  });
  return ok({ connectionId: id });
}

function memberOf(
  d: Draft,
  { participant, connection: id }: { readonly participant: string; readonly connection: string },
): Result<{ readonly conference: Conference; readonly party: Party }, Refusal> {
  const conference = d.connections.get(id);
  if (conference?.kind !== 'conference')
    return fail('connectionUnknown', `${id} is no conference of this session`, '/connectionId');
  const party = d.parties.get(participant);
  return party === undefined || !conference.members.has(participant)
    ? fail('participantUnknown', `${participant} is not in this conference`, '/participantId')
    : ok({ conference, party });
}

/** It leaves, and the application says what becomes of it. */
function leaveConference(d: Draft, ask: Of<'leaveConference'>): Done {
  const found = memberOf(d, ask);
  if (!found.ok) return found;
  const { conference, party } = found.value;
  const members = new Map(conference.members);
  members.delete(party.id);
  d.link<Conference>({ ...conference, members });
  const event = party.direction === 'in' ? 'callerConnectionSplit' : 'calleeConnectionSplit';
  asksAbout(d, party, {
    event,
    participant: party.id,
    remaining: party.id,
    connection: conference.id,
  });
  return DONE;
}

function changeParticipant(d: Draft, ask: Of<'conferenceParticipant'>): Done {
  const found = memberOf(d, ask);
  if (!found.ok) return found;
  const { conference, party } = found.value;
  const { mute, hold, whisperTo } = ask;
  if (typeof whisperTo === 'string' && !conference.members.has(whisperTo))
    return fail('participantUnknown', `${whisperTo} is not in this conference`, '/whisperTo');
  const changed = {
    ...conference.members.get(party.id),
    ...(mute !== undefined && { mute }),
    ...(hold !== undefined && { hold }),
    ...(whisperTo !== undefined && { whisperTo }),
  };
  d.link<Conference>({ ...conference, members: new Map([...conference.members, [party.id, changed]]) });
  return DONE;
}

function startRecording(
  d: Draft,
  { connection: id, fileName, channels, overwrite = false }: Of<'startRecording'>,
): Done {
  const connection = d.connections.get(id);
  if (connection === undefined) return noConnection(id);
  if (connection.recording !== undefined) return conflict('this connection is being recorded already');
  const replaces = overwrite ? { overwrite } : {};
  const recording: Recording = { id: d.newRecording(), fileName, channels, ...replaces, paused: false };
  d.link({ ...connection, recording });
  return DONE;
}

function controlRecording(
  d: Draft,
  { kind, connection: id }: Of<'stopRecording' | 'pauseRecording' | 'resumeRecording'>,
): Done {
  const connection = d.connections.get(id);
  if (connection === undefined) return noConnection(id);
  const { recording, ...silent } = connection;
  if (recording === undefined) return conflict('this connection is not being recorded');
  d.link(
    kind === 'stopRecording'
      ? (silent as Connection)
      : { ...connection, recording: { ...recording, paused: kind === 'pauseRecording' } },
  );
  return DONE;
}
