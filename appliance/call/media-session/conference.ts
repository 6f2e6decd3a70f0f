import { awaitedBy, conferenceRefusal } from './join-refusal.ts';
import { monitored } from './monitor.ts';
import { type Conference, type Draft, inPhase, type Party } from './state/media-session.ts';
import type { JoinRefusal } from './state/session-input.ts';

/** The party hears and is heard by all; undefined, or why not. */
export function conferenceJoined(
  d: Draft,
  party: Party,
  { connection: id }: { readonly connection: string },
): JoinRefusal | undefined {
  const refusal = conferenceRefusal(d, id, awaitedBy(d, id));
  const conference = d.connections.get(id);
  if (refusal !== undefined || conference?.kind !== 'conference') return refusal;
  const { members } = conference;
  d.link<Conference>({ ...conference, members: new Map([...members, [party.id, {}]]) });
  d.put({ ...inPhase(party, 'Joined'), connection: id });
  d.emit(
    { kind: 'direct', participant: party.id, direction: 'sendrecv' },
    {
      kind: 'report',
      report: { callback: 'callAnswered', connection: id, caller: party.id, monitoring: false },
    },
  );
  monitored(d, party.id);
  return undefined;
}
