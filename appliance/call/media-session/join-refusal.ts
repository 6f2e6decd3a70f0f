import type { MediaSession, Party } from './state/media-session.ts';
import type { ConnectionId, JoinRefusal, MoveTarget, ParticipantId } from './state/session-input.ts';

type Place = Pick<MediaSession, 'parties' | 'connections'>;

/*
 * Whether a participant can be joined with what its decision names. The question is asked before a caller is answered, and once
 * more when it is on the line: a caller that cannot be joined gets a final response and not an answer with a BYE after it.
 */

/** Chosen: 486, as of a busy line: the same call may succeed later. Everything else is 480, as without a decision. */
const BUSY = 486;
const UNAVAILABLE = 480;

/** `awaited`: callers that are being answered, in whatever session, in order to join this conference. */
export function joinRefusal(place: Place, target: MoveTarget, awaited: number): JoinRefusal | undefined {
  return target.kind === 'connect'
    ? connectRefusal(place, target.participant)
    : conferenceRefusal(place, target.connection, awaited);
}

export function conferenceRefusal(
  { connections }: Place,
  id: ConnectionId,
  awaited: number,
): JoinRefusal | undefined {
  const conference = connections.get(id);
  if (conference?.kind !== 'conference')
    return { error: 'connectionUnknown', status: UNAVAILABLE, reason: `${id} is no conference` };
  const { members, most } = conference;
  if (most === undefined || members.size + awaited < most) return undefined;
  return {
    error: 'conferenceFull',
    status: BUSY,
    reason: `the conference has its ${most} participants already (maxParticipants)`,
  };
}

/** A participant can be connected while it waits for a decision or for an IVR. */
export function connectRefusal(
  { parties, connections }: Place,
  id: ParticipantId,
  asker?: ParticipantId,
): JoinRefusal | undefined {
  const other = id === asker ? undefined : parties.get(id);
  if (other === undefined)
    return {
      error: 'participantUnknown',
      status: UNAVAILABLE,
      reason: `no other participant is named ${id}`,
    };
  const parked = other.connection === undefined ? undefined : connections.get(other.connection);
  const waits = other.answered && (other.phase === 'Deciding' || parked?.kind === 'ivr');
  return waits && other.role !== 'monitor'
    ? undefined
    : { error: 'participantBusy', status: BUSY, reason: `${id} is busy and cannot be connected` };
}

/** The place that a decision names; undefined: it names none. */
export function targetOf(next: Party['next']): MoveTarget | undefined {
  if (next?.kind !== 'decision') return undefined;
  const { action, participantId = '', connectionId = '', replyId } = next.decision;
  if (action === 'joinconferenceconnection') return { kind: 'conference', connection: connectionId };
  return action === 'connect'
    ? { kind: 'connect', participant: participantId, ...(replyId !== undefined && { replyId }) }
    : undefined;
}

/** Callers of a session that are being answered in order to join this conference. */
export function awaitedBy({ parties }: Place, conference: ConnectionId): number {
  return [...parties.values()].filter(({ phase, next }) => {
    const target = phase === 'Answering' ? targetOf(next) : undefined;
    return target?.kind === 'conference' && target.connection === conference;
  }).length;
}
