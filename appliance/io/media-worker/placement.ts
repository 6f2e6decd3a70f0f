import { fail, ok, type Result } from '#shared/result.ts';
import type { LegProfile, MediaFault } from '../../media/control/index.ts';

/** Chosen split: what a worker surely carries, and the room above it that is kept for alarms. */
const ORDINARY_LEGS = 500;
const ALARM_LEGS = 800;

/** A worker as placement sees it. */
export interface Place {
  readonly ready: boolean;
  readonly overloaded: boolean;
  readonly legs: number;
}

/**
 * Where a new leg goes: to the worker of what it is near to, else to the one with the fewest legs. Fails with `Overload`
 * when it would be too much there. A worker that is late takes no new calls; alarms, and the other side of a call that
 * runs, come in all the same: somebody waits for help; where it is near to is full, it comes to another one (rings join them).
 * So does the first leg of a worker that has none: what made it late is not the audio, and refusing it would not help.
 */
export function placeLeg<P extends Place>(
  places: readonly P[],
  profile: LegProfile,
  near: P | undefined,
  mostAlarmLegs = ALARM_LEGS,
): Result<P, MediaFault> {
  const needed = profile === 'alarm' || near !== undefined;
  const most = needed ? mostAlarmLegs : ORDINARY_LEGS;
  const fits = ({ ready, overloaded, legs }: P) =>
    ready && (needed || !overloaded || legs === 0) && legs < most;
  const isFull = near?.ready === true && !fits(near);
  const candidates = near === undefined || isFull ? places : [near];
  const [best] = candidates.filter(fits).sort((a, b) => a.legs - b.legs);
  if (best !== undefined) return ok(best);
  return fail('Overload', 'The media workers have no room for another leg now; try again in a few seconds.');
}
