import type {
  Facet,
  RecordFacets,
  RecordFigure,
  RecordSearch,
  RecordSeen,
  ShownRecord,
} from '#shared/contract/session-record/index.ts';
import { FACETS } from '#shared/contract/session-record/index.ts';
import type { Result } from '#shared/result.ts';
import type { RecordKey } from '../store/index.ts';
import { maskedParty } from './masking.ts';
import { bodiesOf, keysOf, type SearchPort } from './search.ts';

/** Chosen: rows of one answer; the newest ten thousand tell how it goes. */
const LOOKED_AT = 10_000;
const RUNNING_SHOWN = 100;
const VALUES_SHOWN = 50;
const SEEN_SHOWN = 500;
const REASONS_SHOWN = 10;
/** Upper ends of the steps of a latency, ms; the timeout of a callback is 15 s. */
const STEPS_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000] as const;

/** Sums over the records that a search finds: for charts, filters and the test of an expression. */
export interface RecordFigures {
  readonly figure: (tenant: string, search: RecordSearch, whole: boolean) => Promise<Result<RecordFigure>>;
  readonly facets: (tenant: string, search: RecordSearch, whole: boolean) => Promise<Result<RecordFacets>>;
  readonly seen: (tenant: string, search: RecordSearch, whole: boolean) => Promise<Result<RecordSeen>>;
}

export function createRecordFigures(port: SearchPort): RecordFigures {
  const found = async (tenant: string, search: RecordSearch, whole: boolean) =>
    await keysOf(port, tenant, search, LOOKED_AT, whole);

  return {
    figure: async (tenant, search, whole) => {
      const keys = await found(tenant, search, whole);
      if (!keys.ok) return keys;
      const records = await bodiesOf(port.store, tenant, keys.value.keys, whole);
      return { ok: true, value: { looked: records.length, cut: keys.value.cut, ...figureOf(records) } };
    },
    facets: async (tenant, search, whole) => {
      const keys = await found(tenant, search, whole);
      if (!keys.ok) return keys;
      const facets = Object.fromEntries(FACETS.map((facet) => [facet, valuesOf(keys.value.keys, facet)]));
      const value = { looked: keys.value.keys.length, cut: keys.value.cut, facets } as RecordFacets;
      return { ok: true, value };
    },
    seen: async (tenant, search, whole) => {
      const keys = await found(tenant, search, whole);
      if (!keys.ok) return keys;
      const { cut } = keys.value;
      const seen = seenIn(keys.value.keys, whole);
      return { ok: true, value: { looked: keys.value.keys.length, cut, masked: !whole, seen } };
    },
  };
}

function figureOf(records: readonly ShownRecord[]): Omit<RecordFigure, 'looked' | 'cut'> {
  const alarms = records.filter(({ kind }) => kind === 'alarm');
  const tones = records.flatMap((record) => record.tones?.firstTry ?? []);
  return {
    acknowledged: quantilesOf(alarms.flatMap(({ times }) => between(times.arrived, times.deviceAnswered))),
    spoken: quantilesOf(alarms.flatMap(({ times }) => between(times.arrived, times.voiceJoined))),
    firstTry: { understood: tones.filter(Boolean).length, total: tones.length },
    running: records.filter(({ result }) => result === 'running').slice(0, RUNNING_SHOWN),
    endpoints: endpointsOf(records),
  };
}

/** A clock that was set in between makes no latency. */
const between = (from: number | undefined, to: number | undefined): number[] =>
  from === undefined || to === undefined || to < from ? [] : [to - from];

function quantilesOf(values: readonly number[]): RecordFigure['acknowledged'] {
  if (values.length === 0) return { amount: 0 };
  const sorted = values.toSorted((a, b) => a - b);
  // The nearest rank: a value that was measured, not one between two.
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { amount: values.length, p50: at(0.5), p95: at(0.95) };
}

function endpointsOf(records: readonly ShownRecord[]): RecordFigure['endpoints'] {
  const delivered = records.filter(
    ({ receiver, deliveries }) => receiver !== undefined && deliveries !== undefined,
  );
  return [...Map.groupBy(delivered, ({ receiver = '' }) => receiver)]
    .map(([receiver, own]) => endpointOf(receiver, own))
    .toSorted((a, b) => b.failedSessions - a.failedSessions || b.sessions - a.sessions);
}

/** `own`: the newest first. */
function endpointOf(receiver: string, own: readonly ShownRecord[]): RecordFigure['endpoints'][number] {
  const latencies = own.flatMap(({ times }) =>
    between(times.stored ?? times.arrived, times.callbackAnswered),
  );
  const reasons = new Map<string, { reason: string; times: number; lastAt: number }>();
  for (const { deliveries, at } of own) {
    const reason = deliveries?.lastReason;
    if (reason === undefined) continue;
    const known = reasons.get(reason);
    if (known === undefined) reasons.set(reason, { reason, times: 1, lastAt: at });
    else known.times += 1;
  }
  const [newest] = own;
  const name = own.find(({ receiverName }) => receiverName !== undefined)?.receiverName;
  return {
    receiver,
    ...(name !== undefined && { name }),
    kind: newest?.kind ?? 'alarm',
    sessions: own.length,
    callbacks: own.reduce((sum, { deliveries }) => sum + (deliveries?.count ?? 0), 0),
    failedSessions: own.filter(({ deliveries }) => (deliveries?.failed ?? 0) > 0).length,
    latency: quantilesOf(latencies),
    histogram: histogramOf(latencies),
    reasons: [...reasons.values()].toSorted((a, b) => b.times - a.times).slice(0, REASONS_SHOWN),
  };
}

function histogramOf(values: readonly number[]): { uptoMs?: number; amount: number }[] {
  let below = 0;
  const steps: { uptoMs?: number; amount: number }[] = STEPS_MS.map((uptoMs) => {
    const upTo = values.filter((value) => value <= uptoMs).length;
    const amount = upTo - below;
    below = upTo;
    return { uptoMs, amount };
  });
  return [...steps, { amount: values.length - below }];
}

function valuesOf(keys: readonly RecordKey[], facet: Facet): { value: string; amount: number }[] {
  const amounts = new Map<string, number>();
  for (const key of keys)
    for (const value of facetOf(key, facet)) amounts.set(value, (amounts.get(value) ?? 0) + 1);
  return [...amounts]
    .map(([value, amount]) => ({ value, amount }))
    .toSorted((a, b) => b.amount - a.amount || (a.value < b.value ? -1 : 1))
    .slice(0, VALUES_SHOWN);
}

const facetOf = (key: RecordKey, facet: Facet): readonly string[] =>
  facet === 'warning' ? (key.warnings?.split('\n') ?? []) : [key[facet] ?? []].flat();

function seenIn(keys: readonly RecordKey[], whole: boolean): RecordSeen['seen'] {
  const seen = new Map<string, RecordSeen['seen'][number]>();
  for (const { at, fromParty, toParty, deviceId, receiver } of keys)
    for (const [role, given] of [
      ['from', fromParty],
      ['to', toParty],
      ['device', deviceId],
    ] as const) {
      if (given === null || given === '') continue;
      const value = whole || role === 'device' ? given : maskedParty(given);
      const known = seen.get(`${role} ${value}`);
      if (known === undefined)
        seen.set(`${role} ${value}`, {
          ...{ value, role, amount: 1, lastAt: at },
          ...(receiver !== null && { receiver }),
        });
      else known.amount += 1;
    }
  return [...seen.values()].slice(0, SEEN_SHOWN);
}
