import type { Operations } from '#shared/client/index.ts';

export type Topology = Operations['getSiteByDomainBySiteIdTopology']['answer']['topology'];
export type Node = Topology['hosts'][number];
export type Turn = Operations['getSiteByDomainBySiteIdHistory']['answer']['turns'][number];

const ROLES: Readonly<Record<string, string>> = {
  vip: 'the address of the site',
  leader: 'the lead',
};

/** `vip`, `leader` as a person calls them. */
export const roleWord = (role: string): string => ROLES[role] ?? role;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const roles = (names: readonly string[]): string => listed(names.map(roleWord));

/** A change of roles as a sentence: who has what now, and why. */
export function turnWords({
  hostId = 'A removed host',
  gained,
  lost,
  cause,
  of,
  took,
  faults,
}: Turn): string {
  const left =
    took.length === 0 ? '' : ` It delivers what ${listed(took)} left${took.length === 1 ? ' behind' : ''}.`;
  const has = `${hostId} has ${roles(gained)}`;
  if (gained.length > 0)
    switch (cause) {
      case 'hostLost':
        return `${has}: ${of} did not answer any more.${left}`;
      case 'handedOver':
        return `${has}: ${of} gave it up, by a drain, a fault or a stop.${left}`;
      case 'preferred':
        return `${hostId} took ${roles(gained)} from ${of}, which goes on serving.${left}`;
      case 'started':
        return `${has}: it was started, and no other host had it.${left}`;
      default:
        return `${has}.${left}`;
    }
  if (lost.length > 0)
    switch (cause) {
      case 'notServing':
        return faults.length === 0
          ? `${hostId} gave up ${roles(lost)}: it is drained, or about to stop.`
          : `${hostId} gave up ${roles(lost)}: ${faults.join('; ')}.`;
      case 'takenBy':
        return `${hostId} gave ${roles(lost)} to ${of}.`;
      default:
        return `${hostId} lost ${roles(lost)}.${left}`;
    }
  if (cause === 'hostBack') return `${hostId} sees ${of} again. Nothing moved.`;
  if (cause === 'hostLost') return `${hostId} lost ${of}.${left}`;
  return `${hostId} reported a change that this console does not know.`;
}

export interface Sight {
  readonly from: string;
  readonly to: string;
  /** `both` see each other, `one` sees the other, `none` does; `unknown`: neither says anything. */
  readonly seen: 'both' | 'one' | 'none' | 'unknown';
  readonly words: string;
}

/** Each pair of hosts, by what the two of them say. */
export function sightsOf(hosts: readonly Node[]): Sight[] {
  return hosts.flatMap((from, index) =>
    hosts.slice(index + 1).map((to): Sight => {
      const [there, back] = [wordOf(from, to), wordOf(to, from)];
      const [a, b] = [from.hostId, to.hostId];
      const at = { from: a, to: b };
      if (there === undefined && back === undefined)
        return { ...at, seen: 'unknown', words: `${a} and ${b} have not reported each other.` };
      if (there === 'ok' && back === 'ok')
        return { ...at, seen: 'both', words: `${a} and ${b} see each other.` };
      if (there !== 'ok' && back !== 'ok')
        return { ...at, seen: 'none', words: `${a} and ${b} do not see each other.` };
      const [sees, misses] = there === 'ok' ? [a, b] : [b, a];
      return {
        ...at,
        seen: 'one',
        words: `${sees} sees ${misses}; ${misses} does not see ${sees}.`,
      };
    }),
  );
}

/** The word of one host about the other; an earlier word of a silent host has no value. */
const wordOf = ({ speaks, peers }: Node, { hostId }: Node): string | undefined =>
  speaks ? peers[hostId] : undefined;

/** The roles of a host: those of its last report, unless another one has them now. */
export const rolesOf = ({ vip, leader }: Topology, { hostId, roles: said }: Node): string[] =>
  said.filter((role) =>
    role === 'vip' ? vip.includes(hostId) : role === 'leader' ? leader.includes(hostId) : true,
  );

/** The faults of a site as a whole, in sentences; empty: none. */
export function siteFaults({ hosts, vip, leader }: Topology): string[] {
  const serving = hosts.filter(({ lifecycle }) => lifecycle === 'active');
  const faults: string[] = [];
  if (vip.length > 1)
    faults.push(`${listed(vip)} both hold the address of the site: look at the network between them.`);
  if (vip.length < 2 && leader.length > 1)
    faults.push(`${listed(leader)} both lead: one does not see the other, and both take alarms.`);
  if (serving.length === 0 && hosts.length > 0)
    faults.push('No host is in service: the site takes no alarms.');
  if (serving.length === 1 && hosts.length > 1)
    faults.push(`Only ${serving[0]?.hostId} is in service: no other host could take over.`);
  return faults;
}
