import { fail, ok, type Result } from '#shared/result.ts';
import type { FreeLegs, LegOpening, MediaFault } from '../../media/control/index.ts';
import { CALM_MS, SURE_LEGS } from '../../media/engine/index.ts';

/** How many legs a worker takes. */
export interface LegLimits {
  /** The number of legs that it surely carries: new ordinary calls. */
  readonly ordinary: number;
  /** Above that: alarms, and the other side of a call that runs. */
  readonly alarm: number;
  /** With fewer it refuses nothing. */
  readonly sure: number;
}

/** Chosen split. */
export const LEG_LIMITS: LegLimits = { ordinary: 500, alarm: 800, sure: SURE_LEGS };
/** Chosen: of the room above the ordinary legs so much is for alarms alone: calls that run must not use it up. */
const ALARMS_ALONE = 1 / 6;
/** A leg that was closed leaves room at once, so that one may come back soon. */
const FULL_RETRY_S = 5;

/** A leg as admission sees it. */
export type Asked = Pick<LegOpening, 'profile' | 'urgent'>;

/** An alarm or a call to an emergency number: a person waits for help, so it is the last to be refused. */
export const isUrgent = ({ profile, urgent }: Asked): boolean => profile === 'alarm' || urgent === true;

/** A worker as placement sees it. */
export interface Place {
  readonly ready: boolean;
  /** By its own load. */
  readonly overloaded: boolean;
  /** For whatever reason. */
  readonly late: boolean;
  readonly legs: number;
}

/**
 * Where a new leg goes: to the worker of what it is near to, else to the one with the fewest legs, of those that are in time if there
 * are any. Fails with `Overload` when it would be too much there.
 *
 * `Chosen:` Calls are refused for the appliance's own load only: for legs that are open, and for what it uses of the processor itself.
 * A worker that is late without such a load takes every call. One that is overloaded takes no new ordinary calls; it still
 * takes alarms, calls to emergency numbers and the other side of a running call, since a person waits for help. A leg whose near worker is full comes to
 * another one (rings join them).
 */
export function placeLeg<P extends Place>(
  places: readonly P[],
  asked: Asked,
  near: P | undefined,
  limits = LEG_LIMITS,
): Result<P, MediaFault> {
  const most = mostLegs(asked, near !== undefined, limits);
  const needed = isUrgent(asked) || near !== undefined;
  const fits = ({ ready, overloaded, legs }: P) =>
    ready && legs < most && (needed || !overloaded || legs < limits.sure);
  const isFull = near?.ready === true && !fits(near);
  const candidates = near === undefined || isFull ? places : [near];
  const [best] = candidates.filter(fits).sort((a, b) => Number(a.late) - Number(b.late) || a.legs - b.legs);
  if (best !== undefined) return ok(best);
  return noRoom(places);
}

function mostLegs(asked: Asked, isNear: boolean, { ordinary, alarm }: LegLimits): number {
  if (isUrgent(asked)) return alarm;
  return isNear ? alarm - Math.ceil((alarm - ordinary) * ALARMS_ALONE) : ordinary;
}

function noRoom(places: readonly Place[]): ReturnType<typeof placeLeg<never>> {
  const overloaded = places.some((place) => place.overloaded);
  const waitS = overloaded ? CALM_MS / 1_000 : FULL_RETRY_S;
  const { error } = fail(
    'Overload',
    `The media workers have no room for another leg now; try again in ${waitS} seconds.`,
  );
  return { ok: false, error: { ...error, retryAfterS: waitS } };
}

/** Legs that could be opened now. @param ports pairs of ports that are free, for each sort */
export function freeLegs(places: readonly Place[], ports: FreeLegs, limits = LEG_LIMITS): FreeLegs {
  const roomOf = (room: (place: Place) => number): number =>
    places.reduce((sum, place) => sum + (place.ready ? Math.max(0, room(place)) : 0), 0);
  const ordinary = roomOf(
    ({ overloaded, legs }) => Math.min(limits.ordinary, overloaded ? limits.sure : limits.ordinary) - legs,
  );
  const alarm = roomOf(({ legs }) => limits.alarm - legs);
  return { ordinary: Math.min(ordinary, ports.ordinary), alarm: Math.min(alarm, ports.alarm) };
}
