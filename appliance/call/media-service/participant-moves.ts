import type { ParticipantId } from '../media-session/index.ts';

/** As far as this table needs it. */
interface Session {
  readonly id: string;
}

/**
 * Participants that have moved to another session, for as long as they are on the line: an older replyId still finds them,
 * and the session that they came from is completed only when they have left.
 *
 * `Chosen:` sessionCompleted means that all participants have left (media document 6). A participant that speaks in another
 * session has not, and its application still needs what it knows of the session that it began.
 */
export class ParticipantMoves<S extends Session> {
  readonly #places = new Map<ParticipantId, { at: S; readonly from: Set<string> }>();
  /** Participants of a session that speak elsewhere, the latest last, and the reports that wait until they have left. */
  readonly #away = new Map<string, { readonly participants: Set<ParticipantId>; complete?: () => void }>();

  moved(participant: ParticipantId, from: S, to: S): void {
    const place = this.#places.get(participant) ?? { at: to, from: new Set<string>() };
    place.at = to;
    place.from.add(from.id);
    // One that comes back is away no more.
    if (place.from.delete(to.id)) this.#returned(participant, to.id);
    this.#places.set(participant, place);
    const away = this.#away.get(from.id) ?? { participants: new Set<ParticipantId>() };
    away.participants.delete(participant);
    away.participants.add(participant);
    this.#away.set(from.id, away);
  }

  /** The participant is no longer in this session. One that has moved on is not meant. */
  left(participant: ParticipantId, session: S): void {
    const place = this.#places.get(participant);
    if (place?.at !== session) return;
    this.#places.delete(participant);
    for (const id of place.from) this.#returned(participant, id);
  }

  /** Completes a session at once, or when the last of its participants elsewhere has left. */
  completed(session: S, complete: () => void): void {
    const away = this.#away.get(session.id);
    if (away === undefined) complete();
    else away.complete = complete;
  }

  /** The session in which a participant speaks that has moved; undefined: it has not. */
  placeOf(participant: ParticipantId | undefined): S | undefined {
    return participant === undefined ? undefined : this.#places.get(participant)?.at;
  }

  /** The session in which the latest participant of that one speaks now. */
  heirOf(sessionId: string): S | undefined {
    return this.placeOf([...(this.#away.get(sessionId)?.participants ?? [])].at(-1));
  }

  #returned(participant: ParticipantId, sessionId: string): void {
    const away = this.#away.get(sessionId);
    away?.participants.delete(participant);
    if (away === undefined || away.participants.size > 0) return;
    this.#away.delete(sessionId);
    away.complete?.();
  }
}
