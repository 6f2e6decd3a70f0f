import { plainNumber } from '#shared/matching/index.ts';
import { type Random, weightedOrder } from '../location/index.ts';
import { numberFor } from './number-rule.ts';
import type { Trunk, TrunkHost } from './trunk.ts';

/** One host that a call may be sent to, with the number as its trunk wants it. */
export interface TrunkTarget {
  readonly trunk: Trunk;
  readonly host: TrunkHost;
  readonly number: string;
  /** Request-URI. */
  readonly uri: string;
}

/** Name of a host in maps, logs and alarms. */
export const hostKey = (trunk: Trunk, host: TrunkHost): string => `${trunk.id} ${host.uri}`;

/**
 * The hosts of a trunk in the order to try (priority, then weight); those that `avoided` names come last, in the same
 * order among themselves: when all are down, one of them may still have come back.
 */
export function targetsOf(
  trunk: Trunk,
  dialled: string,
  random: Random,
  avoided: (host: TrunkHost) => boolean,
): readonly TrunkTarget[] {
  const number = numberFor(trunk, plainNumber(dialled) ?? dialled);
  const order = weightedOrder(trunk.hosts, random);
  return [...order.filter((host) => !avoided(host)), ...order.filter(avoided)].map((host) => ({
    trunk,
    host,
    number,
    uri: callUri(host, number),
  }));
}

/** The host's URI with the number as its user; the parameters of the host stay. */
function callUri({ uri }: TrunkHost, number: string): string {
  const colon = uri.indexOf(':') + 1;
  const at = uri.indexOf('@');
  const user = number.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g, (sign) => encodeURIComponent(sign));
  return `${uri.slice(0, colon)}${user}@${uri.slice(at < 0 ? colon : at + 1)}`;
}
