import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';

export type Topology = Operations['getSiteByDomainBySiteIdTopology']['answer']['topology'];
export type Node = Topology['hosts'][number];
export type Turn = Operations['getSiteByDomainBySiteIdHistory']['answer']['turns'][number];

const ROLES: Readonly<Record<string, MessageDescriptor>> = {
  vip: msg`the address of the site`,
  leader: msg`the lead`,
};

/** `vip`, `leader` as a person calls them. */
export const roleWord = (role: string): string => {
  const word = ROLES[role];
  return word === undefined ? role : i18n._(word);
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${t`and`} ${words.at(-1)}`;
const roles = (names: readonly string[]): string => listed(names.map(roleWord));

/** A change of roles as a sentence: who has what now, and why. */
export function turnWords(turn: Turn): string {
  const { gained, lost, cause } = turn;
  const hostId = turn.hostId ?? t`A removed host`;
  const of = turn.of ?? '';
  if (gained.length > 0) return gainedWords(hostId, of, turn) + leftWords(turn);
  if (lost.length > 0) return lostWords(hostId, of, turn);
  if (cause === 'hostBack') return t`${hostId} sees ${of} again. Nothing moved.`;
  if (cause === 'hostLost') return t`${hostId} lost ${of}.` + leftWords(turn);
  return t`${hostId} reported a change that this console does not know.`;
}

/** The deliveries that a host took over; empty: none. */
function leftWords({ took }: Turn): string {
  if (took.length === 0) return '';
  const whose = listed(took);
  return ` ${took.length === 1 ? t`It delivers what ${whose} left behind.` : t`It delivers what ${whose} left.`}`;
}

function gainedWords(hostId: string, of: string, { gained, cause }: Turn): string {
  const held = roles(gained);
  switch (cause) {
    case 'hostLost':
      return t`${hostId} has ${held}: ${of} did not answer any more.`;
    case 'handedOver':
      return t`${hostId} has ${held}: ${of} gave it up, by a drain, a fault or a stop.`;
    case 'preferred':
      return t`${hostId} took ${held} from ${of}, which goes on serving.`;
    case 'started':
      return t`${hostId} has ${held}: it was started, and no other host had it.`;
    default:
      return t`${hostId} has ${held}.`;
  }
}

function lostWords(hostId: string, of: string, turn: Turn): string {
  const given = roles(turn.lost);
  const why = turn.faults.join('; ');
  switch (turn.cause) {
    case 'notServing':
      return why === ''
        ? t`${hostId} gave up ${given}: it is drained, or about to stop.`
        : t`${hostId} gave up ${given}: ${why}.`;
    case 'takenBy':
      return t`${hostId} gave ${given} to ${of}.`;
    default:
      return t`${hostId} lost ${given}.` + leftWords(turn);
  }
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
        return { ...at, seen: 'unknown', words: t`${a} and ${b} have not reported each other.` };
      if (there === 'ok' && back === 'ok')
        return { ...at, seen: 'both', words: t`${a} and ${b} see each other.` };
      if (there !== 'ok' && back !== 'ok')
        return { ...at, seen: 'none', words: t`${a} and ${b} do not see each other.` };
      const [sees, misses] = there === 'ok' ? [a, b] : [b, a];
      return {
        ...at,
        seen: 'one',
        words: t`${sees} sees ${misses}; ${misses} does not see ${sees}.`,
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
  const [holders, leaders] = [listed(vip), listed(leader)];
  const only = serving[0]?.hostId ?? '';
  const faults: string[] = [];
  if (vip.length > 1)
    faults.push(t`${holders} both hold the address of the site: look at the network between them.`);
  if (vip.length < 2 && leader.length > 1)
    faults.push(t`${leaders} both lead: one does not see the other, and both take alarms.`);
  if (serving.length === 0 && hosts.length > 0)
    faults.push(t`No host is in service: the site takes no alarms.`);
  if (serving.length === 1 && hosts.length > 1)
    faults.push(t`Only ${only} is in service: no other host could take over.`);
  return faults;
}
