import { isIP } from 'node:net';
import { exitCode, Stop } from '../../../exit-code.ts';
import type { NetworkPlanRequest, OtherFamily, RetainedNames } from '../../../plan/index.ts';
import type { Person, PlanFlags } from '../terminal/person.ts';

export interface SetFlags extends PlanFlags {
  readonly address?: string;
  readonly dhcp?: boolean;
  readonly gateway?: string;
  readonly dns?: string;
  readonly search?: string;
  readonly ntp?: string;
  readonly acceptRisk?: string;
  readonly confirmWithin: string;
}

/** The network that a person asks for; a list is absent where it was not given. */
export type SaidNetwork = Pick<NetworkPlanRequest, 'name' | 'address' | 'gateway'> & Partial<RetainedNames>;

/** In place of a list: there shall be none. */
const NONE = 'none';

/** Stops with 64 and what is wrong with the flags. */
export function saidNetwork(name: string, flags: SetFlags, { text }: Person): SaidNetwork {
  const wrong = (...said: Parameters<Person['text']>): Stop => new Stop(exitCode.wrongUse, text(...said));
  const { address, gateway, dhcp } = flags;
  if ((address === undefined) === (dhcp !== true)) throw wrong('network.one-way', { name });
  const [ip = '', prefix = ''] = (address ?? '').split('/');
  if (address !== undefined && !isPrefix(prefix, isIP(ip))) throw wrong('network.bad-address', { address });
  const [dns, search, ntp] = [listIn(flags.dns), listIn(flags.search), listIn(flags.ntp)];
  for (const each of [...(dns ?? []), ...(gateway === undefined ? [] : [gateway])])
    if (isIP(each) === 0) throw wrong('network.no-address', { address: each });
  for (const each of search ?? [])
    if (!/^[\w-]{1,63}(\.[\w-]{1,63})*$/.test(each)) throw wrong('network.bad-search', { name: each });
  for (const each of ntp ?? []) if (!/^[\w.:-]+$/.test(each)) throw wrong('network.bad-ntp', { name: each });
  if (!/^\d{1,4}$/.test(flags.confirmWithin)) throw wrong('network.bad-seconds');
  return {
    name,
    ...(address !== undefined && { address }),
    ...(gateway !== undefined && { gateway }),
    ...(dns !== undefined && { dns }),
    ...(search !== undefined && { search }),
    ...(ntp !== undefined && { ntp }),
  };
}

/** Lists that were not given stay; with DHCP the network sends them again. */
export function requestFrom(said: SaidNetwork, kept: RetainedNames, other: OtherFamily): NetworkPlanRequest {
  const none = { dns: [], search: [], ntp: [] };
  return said.address === undefined ? { ...none, ...said } : { ...kept, ...said, other };
}

function listIn(written: string | undefined): readonly string[] | undefined {
  if (written === undefined || written.trim() === NONE) return written === undefined ? undefined : [];
  return written
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A prefix that an address of this family (4 or 6; 0: no address) can have. */
const isPrefix = (prefix: string, family: number): boolean =>
  family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
