import type { TakerCandidate } from '#shared/contract/provisioning/index.ts';
import { destinationMatcher, dialledForms } from '#shared/matching/index.ts';
import type { ConfigurationSet, Store } from '../../store/index.ts';
import { type Candidate, callCandidates, competitionAt } from './competition.ts';
import { type ByKind, CALL_KINDS, type CallKind, crossKindShadows } from './cross-kind.ts';

/** Chosen: a person reads the first ones; those that match come before those that do not. */
const MOST_CANDIDATES = 200;
const LONGEST_PATTERN = 120;

const RANK = ['takes', 'shadowed', 'passedOver', 'noMatch'] as const;

/** Everybody who could take a destination, and why each of them does or does not. */
export interface TakerReport {
  /** The forms under which the appliance looks the destination up. */
  readonly forms: readonly string[];
  readonly candidates: readonly TakerCandidate[];
  readonly cut: boolean;
}

/** By the functions that decide on the appliance (`shared/matching`); in the provisory set as if each draft were promoted. */
export async function takerReport(
  store: Store,
  where: { readonly tenant: string; readonly set: ConfigurationSet },
  destination: string,
): Promise<TakerReport> {
  const all = await callCandidates(store, where);
  const forms = dialledForms(destination);
  const judged = CALL_KINDS.flatMap((kind) => all[kind].map((one) => judgedOf(all, kind, one, forms)));
  const sorted = judged.toSorted(
    (a, b) =>
      RANK.indexOf(a.verdict) - RANK.indexOf(b.verdict) || a.order - b.order || (a.id < b.id ? -1 : 1),
  );
  return { forms, candidates: sorted.slice(0, MOST_CANDIDATES), cut: sorted.length > MOST_CANDIDATES };
}

function judgedOf(
  all: ByKind<Candidate>,
  kind: CallKind,
  one: Candidate,
  forms: readonly string[],
): TakerCandidate {
  const { id, name, order = 1_000, destinationMatch } = one;
  const head = { kind, id, name, order, destinationMatch };
  const pattern = destinationMatch.slice(0, LONGEST_PATTERN);
  const matcher = destinationMatcher([one]);
  const form = forms.find((each) => matcher.all(each).length > 0);
  if (form === undefined) {
    const reason = `Its destinationMatch ${pattern} matches none of: ${forms.join(', ')}.`;
    return { ...head, verdict: 'noMatch', arrivals: [], reasons: [reason] };
  }
  const competition = competitionAt(all[kind], form);
  const shadows = [...(competition?.shadowed ?? []), ...crossKindShadows(all, form, kind)].filter(
    ({ receiver }) => receiver === id,
  );
  const lost = new Set(shadows.flatMap(({ arrivals }) => arrivals));
  const arrivals = (competition?.takers ?? [])
    .filter(({ receiver, arrival }) => receiver === id && !lost.has(arrival))
    .map(({ arrival }) => arrival);
  const reasons = [
    `Its destinationMatch ${pattern} matches ${form}.`,
    ...(arrivals.length > 0 ? [`It takes ${arrivals.join(', ')}.`] : []),
    ...shadows.map(({ message }) => message),
  ];
  if (arrivals.length > 0) return { ...head, verdict: 'takes', arrivals, reasons };
  if (shadows.length > 0) return { ...head, verdict: 'shadowed', arrivals, reasons };
  const none = `Its protocol ${one.protocol} takes nothing that can come to this destination.`;
  return { ...head, verdict: 'passedOver', arrivals, reasons: [...reasons, none] };
}
