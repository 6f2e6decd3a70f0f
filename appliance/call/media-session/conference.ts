import { type Conference, type Draft, inPhase, type Party } from './media-session.ts';
import { monitored } from './monitor.ts';

/** The party hears and is heard by all; undefined, or why not. */
export function conferenceJoined(
  d: Draft,
  party: Party,
  { connection: id }: { readonly connection: string },
): string | undefined {
  const conference = d.connections.get(id);
  if (conference?.kind !== 'conference') return `${id} is no conference of this session`;
  const { members, most } = conference;
  if (members.size >= (most ?? Number.POSITIVE_INFINITY))
    return `the conference has its ${most} participants already`;
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
