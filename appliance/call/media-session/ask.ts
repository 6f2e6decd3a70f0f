import { dropped } from './end.ts';
import { type Draft, inPhase, type Party } from './state/media-session.ts';
import type { CallEventInfo } from './state/session-input.ts';

/** Asks the application what to do with a party; in an emergency it is not asked any more. */
export function asksAbout(d: Draft, party: Party, facts?: CallEventInfo): void {
  if (d.emergency) {
    if (facts !== undefined) {
      const { remaining: _, ...info } = facts;
      d.emit({ kind: 'report', report: { callback: 'callEvent', ...info } });
    }
    dropped(d, party, facts?.sipStatus);
    return;
  }
  const number = ++d.requests;
  const of = facts === undefined ? 'newCall' : 'callEvent';
  d.put({ ...inPhase(party, 'Deciding'), request: { number, of } });
  d.emit({
    kind: 'ask',
    request: number,
    ask:
      facts === undefined
        ? { callback: 'newCall', participant: party.id }
        : { callback: 'callEvent', ...facts },
  });
}
