import type { ProvisioningWarning, Shadowed, Taker } from '#shared/contract/provisioning/index.ts';
import {
  type ArrivalKind,
  destinationMatcher,
  type Receiver,
  shadowsAbout,
  shadowsAt,
  takingsAt,
} from '#shared/matching/index.ts';
import { allItems, type ConfigurationSet, type Reader } from '../../store/index.ts';
import { type ByKind, CALL_KINDS, type CallKind, crossKindWarnings } from './cross-kind.ts';
import type { ResourceName } from './resource-kind.ts';

/** Kinds whose rows are chosen by a destination. */
export type ChosenName = CallKind;

export type Candidate = Receiver & { readonly name: string };

/** A resource other than an alarm bridge takes calls. */
const OTHERWISE = { protocol: 'call' };

interface Where {
  readonly tenant: string;
  readonly set: ConfigurationSet;
}

/** Chosen: a person reads a few; a receiver that shadows more than these is wide beyond doubt. */
const MOST_WARNINGS = 20;

const isChosen = (name: ResourceName): name is ChosenName => CALL_KINDS.some((one) => one === name);

/** Everybody of a kind that competes: the working set, and for a draft as it would be with every draft promoted. */
async function candidates(from: Reader, { tenant, set }: Where, name: ChosenName): Promise<Candidate[]> {
  const sets: readonly ConfigurationSet[] = set === 'working' ? ['working'] : ['working', 'provisory'];
  const found = new Map<string, Candidate>();
  for (const each of sets) {
    // A resource other than an alarm bridge takes calls.
    for (const { id, body } of await allItems(from, name, { tenant, set: each }))
      found.set(id, { ...OTHERWISE, ...(body as unknown as Candidate), id });
  }
  return [...found.values()];
}

/** Everybody of every kind that competes for calls. */
export async function callCandidates(from: Reader, where: Where): Promise<ByKind<Candidate>> {
  // A transaction has one connection, which answers one query after the other.
  return {
    alarmBridge: await candidates(from, where, 'alarmBridge'),
    mediaService: await candidates(from, where, 'mediaService'),
    recordingService: await candidates(from, where, 'recordingService'),
    cloudSipUa: await candidates(from, where, 'cloudSipUa'),
  };
}

/** The warnings of a row that has been written: the rows that it shadows, and those that shadow it, of its kind and of others. */
export async function shadowWarnings(
  from: Reader,
  where: Where,
  name: ResourceName,
  id: string,
): Promise<readonly ProvisioningWarning[]> {
  if (!isChosen(name)) return [];
  const all = await callCandidates(from, where);
  const shadows = shadowsAbout(all[name], id);
  const own = shadows.map((shadow): ProvisioningWarning => {
    const { receiver, by, kinds, destination } = shadow;
    const other = by.id === id ? receiver : by;
    const message = `${sentence(shadow)} An example is the destination ${destination}. Give ${receiver.name} a lower order, or ${by.name} a narrower destinationMatch.`;
    const code = by.id === id ? 'shadows' : 'shadowed';
    return { code, receiver: other.id, arrivals: [...kinds], destination, message };
  });
  return [...own, ...crossKindWarnings(all, id)].slice(0, MOST_WARNINGS);
}

export interface Competition {
  /** The first that takes anything; frames count where nothing else is taken. */
  readonly first: Candidate;
  readonly takers: Taker[];
  readonly shadowed: Shadowed[];
}

/** The takers of each kind at a destination, and the receivers that match and take nothing; undefined: none matches. */
export function competitionAt(all: readonly Candidate[], destination: string): Competition | undefined {
  const matcher = destinationMatcher(all);
  const takings = takingsAt(matcher, destination);
  const taking = (kinds: (kind: ArrivalKind) => boolean) =>
    matcher
      .all(destination)
      .find((one) => takings.some(({ kind, receiver }) => receiver === one && kinds(kind)));
  const first = taking((kind) => kind !== 'frame') ?? taking(() => true);
  if (first === undefined) return undefined;
  return {
    first,
    takers: takings.map(({ kind, receiver }) => {
      const sender = senderOf(receiver);
      const { id, name } = receiver;
      return { arrival: kind, receiver: id, name, ...(sender !== undefined && { sender }) };
    }),
    shadowed: shadowsAt(matcher, destination).map((shadow) => {
      const { receiver, by, kinds } = shadow;
      return {
        receiver: receiver.id,
        name: receiver.name,
        by: by.id,
        arrivals: [...kinds],
        message: sentence(shadow),
      };
    }),
  };
}

/** The party that is asked in its place: the mapper, else the application. */
export const senderOf = ({ alarmEventMapperId, callbackBaseUrl }: Candidate): string | undefined =>
  alarmEventMapperId ?? callbackBaseUrl;

function sentence(shadow: {
  readonly receiver: Candidate;
  readonly by: Candidate;
  readonly kinds: readonly ArrivalKind[];
}): string {
  const { receiver, by, kinds } = shadow;
  const rank = ({ order = 1000, id }: Candidate) =>
    order === (receiver.order ?? 1000) && order === (by.order ?? 1000)
      ? `order ${order}, id ${id}`
      : `order ${order}`;
  return `${by.name} (${rank(by)}) precedes ${receiver.name} (${rank(receiver)}) and takes its ${kinds.join(', ')}.`;
}
