import { rung } from './pair.ts';
import { type Draft, inPhase, type Party } from './state/media-session.ts';

/** `why`: what has led to it. False: there is no destination, or it was called before. */
export function emergency(
  d: Draft,
  party: Party,
  error: 'triggeredByError' | 'triggeredByAlways',
  why: string,
): boolean {
  const { emergencyDestination: destAddr } = d.setting;
  if (destAddr === undefined || d.emergency) return false;
  d.emergency = true;
  const reason = `${destAddr} is called: ${why}`;
  d.emit({ kind: 'alarm', type: 'emergencyFallback', error, participant: party.id, reason });
  rung(d, inPhase(party, 'Waiting'), { action: 'call', destAddr });
  return true;
}
