import { type Draft, newParty } from './state/media-session.ts';
import type { ParticipantId } from './state/session-input.ts';

/** The monitor is called after the first callAnswered (media document 3). */
export function monitored(d: Draft, near: ParticipantId): void {
  const words = d.monitor;
  if (words?.destAddr === undefined || [...d.parties.values()].some(({ role }) => role === 'monitor')) return;
  const participant = d.newParticipant();
  const { destAddr, ...rest } = words;
  // Once: losing it changes nothing for the call (media 13).
  d.monitor = {};
  d.put(newParty({ id: participant, role: 'monitor', direction: 'out', phase: 'Ringing' }));
  d.emit({ kind: 'dial', participant, destAddr: String(destAddr), words: rest, near });
}
