import { fail, ok, type Result } from '#shared/result.ts';
import type { Connection, Draft } from './state/media-session.ts';
import type {
  Operation,
  OperationGain,
  ParticipantId,
  Refusal,
  SessionInput,
} from './state/session-input.ts';

type Done = Result<OperationGain, Refusal>;
const PREFIX = 'announcement-';

/** `say` and `play`: the participants of a connection hear phrases, whatever else goes on in it. */
export function announce(
  d: Draft,
  { connection: id, participant, phrases, over }: Extract<Operation, { readonly kind: 'announce' }>,
): Done {
  const connection = d.connections.get(id);
  if (connection === undefined)
    return fail('connectionUnknown', `there is no connection ${id} in this session`, '/connectionId');
  const members = membersOf(connection);
  if (participant !== undefined && !members.includes(participant))
    return fail('participantUnknown', `${participant} is not in this connection`, '/participantId');
  const hearers = participant === undefined ? members : [participant];
  if (hearers.length === 0)
    return fail('conflict', 'no participant is in this connection; nothing was played');
  const together = hearers.length > 1 ? { together: `together-${++d.marks}` } : {};
  for (const [index, hearer] of hearers.entries())
    d.emit({
      kind: 'play',
      play: `${PREFIX}${++d.marks}`,
      participant: hearer,
      ...{ phrases, over },
      ...together,
      ...(index > 0 && { shared: true }),
    });
  return ok({});
}

/** An announcement is over; an alarm tells of a phrase that was not heard. True: it was one. */
export function announced(
  d: Draft,
  { play, faults }: Extract<SessionInput, { readonly kind: 'played' }>,
): boolean {
  if (!play.startsWith(PREFIX)) return false;
  for (const { alarm, phrase, reason } of faults)
    d.emit({ kind: 'alarm', type: 'ivrCommandError', error: alarm, reason: `phrase ${phrase}: ${reason}` });
  return true;
}

function membersOf(connection: Connection): readonly ParticipantId[] {
  if (connection.kind === 'conference') return [...connection.members.keys()];
  return connection.kind === 'ivr' ? [connection.party] : [connection.caller, connection.callee];
}
