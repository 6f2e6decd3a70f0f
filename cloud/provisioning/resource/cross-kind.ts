import type { ProvisioningWarning, Shadowed } from '#shared/contract/provisioning/index.ts';
import { destinationMatcher, type Receiver, shadowsAbout, takes } from '#shared/matching/index.ts';
import { RESOURCE_KINDS } from './resource-kind.ts';

/**
 * Kinds whose rows take calls, in the order in which a call is routed: the first that matches has it, whatever the `order` of its row
 * (`appliance/call/route`).
 */
export const CALL_KINDS = ['alarmBridge', 'mediaService', 'recordingService', 'cloudSipUa'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

type Named = Receiver & { readonly name: string };
/** Rows of each kind. */
export type ByKind<R extends Named> = Readonly<Record<CallKind, readonly R[]>>;

/** A row with its kind. Its place among all kinds stands in `order`. */
interface Ranked extends Named {
  readonly kind: CallKind;
}

/** Beyond every `order` that a row may have. */
const RANK = 1_000_000;

const ranked = (rows: ByKind<Named>): Ranked[] =>
  CALL_KINDS.flatMap((kind, rank) =>
    rows[kind]
      .filter((row) => takes(row, 'call'))
      .map((row) => ({ ...row, kind, order: rank * RANK + (row.order ?? 1_000) })),
  );

/** Shadows between this row and rows of other kinds, as far as one pattern matches all that the other matches. */
export function crossKindWarnings(rows: ByKind<Named>, id: string): ProvisioningWarning[] {
  return shadowsAbout(ranked(rows), id)
    .filter(({ receiver, by, kinds }) => receiver.kind !== by.kind && kinds.includes('call'))
    .map(({ receiver, by, destination }) => ({
      code: by.id === id ? 'shadows' : 'shadowed',
      receiver: by.id === id ? receiver.id : by.id,
      arrivals: ['call'],
      destination,
      message: `${sentence(receiver, by)} An example is the destination ${destination}. Give ${by.name} a narrower destinationMatch.`,
    }));
}

/** Rows that match this destination and do not get its calls, because a row of another kind has them; `name` is one of the two kinds. */
export function crossKindShadows(rows: ByKind<Named>, destination: string, name: CallKind): Shadowed[] {
  const matching = destinationMatcher(ranked(rows)).all(destination);
  const [by] = matching;
  if (by === undefined) return [];
  return matching
    .filter(({ kind }) => kind !== by.kind && [kind, by.kind].includes(name))
    .map((receiver) => ({
      receiver: receiver.id,
      name: receiver.name,
      by: by.id,
      arrivals: ['call'],
      message: sentence(receiver, by),
    }));
}

const sentence = (receiver: Ranked, by: Ranked): string =>
  `The ${noun(by)} ${by.name} precedes the ${noun(receiver)} ${receiver.name}, whatever their order, and takes its call.`;

const noun = ({ kind }: Ranked): string => RESOURCE_KINDS[kind].noun;
