import { FLAP } from './profile.ts';

/** A sum that each loss raises and time lowers. */
export interface Flap {
  readonly penalty: number;
  readonly at: number;
  readonly unstable: boolean;
  /** Losses since it was last calm. */
  readonly losses: number;
}

export const calm: Flap = { penalty: 0, at: 0, unstable: false, losses: 0 };

const decayed = ({ penalty, at }: Flap, nowMs: number): number =>
  penalty * 0.5 ** (Math.max(0, nowMs - at) / FLAP.halfLifeMs);

/** One more loss of contact. */
export function flapped(flap: Flap, nowMs: number): Flap {
  const before = decayed(flap, nowMs);
  const penalty = before + FLAP.step;
  const losses = before < FLAP.stable ? 1 : flap.losses + 1;
  return { penalty, at: nowMs, unstable: flap.unstable || penalty > FLAP.unstable, losses };
}

/** The same, if enough time has passed to call the host stable again. */
export function settled(flap: Flap, nowMs: number): Flap {
  if (!flap.unstable || decayed(flap, nowMs) >= FLAP.stable) return flap;
  return { penalty: decayed(flap, nowMs), at: nowMs, unstable: false, losses: flap.losses };
}

/** Losses since it was last calm; 0 = it is. */
export const lossesOf = (flap: Flap, nowMs: number): number =>
  decayed(flap, nowMs) < FLAP.stable ? 0 : flap.losses;

/** When `settled` will release it; undefined for a host that is not unstable. */
export function releaseAt({
  penalty,
  at,
  unstable,
}: Pick<Flap, 'penalty' | 'at' | 'unstable'>): number | undefined {
  if (!unstable) return undefined;
  // One millisecond more than where the curve meets the limit, so that it lies below it then.
  return at + Math.ceil(Math.log2(penalty / FLAP.stable) * FLAP.halfLifeMs) + 1;
}
