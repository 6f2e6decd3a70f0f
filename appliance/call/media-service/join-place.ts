import { awaitedBy, type JoinRefusal, joinRefusal, type MoveTarget } from '../media-session/index.ts';
import type { MediaServiceSession } from './media-service-session.ts';

type Sessions = ReadonlyMap<string, MediaServiceSession>;

const NOWHERE = { parties: new Map(), connections: new Map() };

/** The session that has what a participant is to be joined with. */
export function sessionWith(sessions: Sessions, target: MoveTarget): MediaServiceSession | undefined {
  return [...sessions.values()].find(({ session }) =>
    target.kind === 'connect'
      ? session.parties.has(target.participant)
      : session.connections.has(target.connection),
  );
}

/** Why a participant of any session cannot be joined there; undefined: it can. */
export function refusalAt(sessions: Sessions, target: MoveTarget): JoinRefusal | undefined {
  let awaited = 0;
  if (target.kind === 'conference')
    for (const { session } of sessions.values()) awaited += awaitedBy(session, target.connection);
  return joinRefusal(sessionWith(sessions, target)?.session ?? NOWHERE, target, awaited);
}

/** A participant by RTP alone has no call that another session could take. */
export const STAYS: JoinRefusal = {
  error: 'participantBusy',
  status: 480,
  reason: 'the application itself (httpcall) stays in the session that it was called in',
};
