import { type Binding, holderOf, instanceOf } from './binding.ts';
import type { Registration } from './registration.ts';

/** Does this address-of-record register by a secret? */
export type Proof = (aor: string) => boolean;

/** A row of an older program does not say it: its device does. */
export const isProven = ({ proven, aor }: Binding, hasSecret: Proof): boolean => proven ?? hasSecret(aor);

/** Since when the holder holds, as far as a row tells. */
export const heldSince = ({ heldSinceMs, registeredAtMs }: Binding): number => heldSinceMs ?? registeredAtMs;

/** The bindings that a REGISTER may change, and the others: a sender without a secret may change its own address only. */
export function rightsOf(
  live: readonly Binding[],
  { proven, flow }: Registration,
): readonly [own: readonly Binding[], others: readonly Binding[]] {
  if (proven) return [live, []];
  const isOwn = (binding: Binding): boolean => holderOf(binding) === flow.remoteAddress;
  return [live.filter(isOwn), live.filter((binding) => !isOwn(binding))];
}

/** The order to try, from newest-first. */
export function ranked(live: readonly Binding[], hasSecret: Proof): readonly Binding[] {
  if (live.length < 2) return live;
  const proven = live.filter((binding) => isProven(binding, hasSecret));
  if (proven.length > 0) return onePerPhone(proven, () => '').toSorted((a, b) => b.q - a.q);
  // Neither a q nor an instance of its own choosing lifts a stranger above who was there before.
  const oldestFirst = live.toSorted(
    (a, b) => heldSince(a) - heldSince(b) || live.indexOf(b) - live.indexOf(a),
  );
  const holders = [...new Set(oldestFirst.map(holderOf))];
  const rankOf = (binding: Binding): number => holders.indexOf(holderOf(binding));
  return onePerPhone(live, holderOf).toSorted((a, b) => rankOf(a) - rankOf(b) || b.q - a.q);
}

/** The newest open flow of each phone. `holder`: whose word it is that two flows are of one phone. */
function onePerPhone(newestFirst: readonly Binding[], holder: (binding: Binding) => string): Binding[] {
  const phoneOf = (binding: Binding): string =>
    `${holder(binding)} ${instanceOf(binding) ?? `uri ${binding.key}`}`;
  const best = new Map<string, Binding>();
  for (const binding of newestFirst) {
    const phone = phoneOf(binding);
    const known = best.get(phone);
    if (known === undefined || (known.flow === null && binding.flow !== null)) best.set(phone, binding);
  }
  return newestFirst.filter((binding) => best.get(phoneOf(binding)) === binding);
}
