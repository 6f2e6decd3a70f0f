import { expect } from 'vitest';
import { z } from 'zod';
import { type SessionRecord, sessionRecordSchema } from '#shared/contract/session-record/index.ts';

/** The answer to one field of one kind of record: the value that a journey must bring about, or the reason why there is none. */
export type Cell = { readonly is: unknown } | { readonly none: string };
export type Row = Readonly<Record<string, Cell>>;

/** `value`: as the journey brings it about; a matcher of vitest is a value. Times are ms since the arrival. */
export const is = (value: unknown): Cell => ({ is: value });
export const none = (reason: string): Cell => ({ none: reason });
export const matches = (pattern: RegExp): Cell => is(expect.stringMatching(pattern));

interface Node {
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** Every field of the record by its path, as the contract has it: `times.stored`, `legs.codec`. */
export const RECORD_FIELDS: readonly string[] = pathsIn(z.toJSONSchema(sessionRecordSchema) as Node, '');

function pathsIn(node: Node, path: string): string[] {
  const { properties } = node.items ?? node;
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, inner]) =>
    pathsIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** The values of a record in a field; a list of objects has one value for each. None: the record does not have the field. */
export function valuesIn(record: SessionRecord, path: string): unknown[] {
  const [first = '', ...rest] = path.split('.');
  if (first === 'times') {
    const at = record.times[rest[0] as keyof SessionRecord['times']];
    return at === undefined ? [] : [at - record.at];
  }
  let found: unknown[] = [record[first as keyof SessionRecord]];
  for (const name of rest)
    found = found.flat().map((each) => (each as Readonly<Record<string, unknown>> | undefined)?.[name]);
  return found.filter((each) => each !== undefined);
}

/** Pairs of moments: the first one never comes behind the second one. */
const ORDER: readonly (readonly [keyof SessionRecord['times'], keyof SessionRecord['times']])[] = [
  ['arrived', 'stored'],
  ['arrived', 'callbackAnswered'],
  ['arrived', 'deviceAnswered'],
  ['arrived', 'voiceJoined'],
  // An alarm is durable before its application and its device hear of it.
  ['stored', 'callbackAnswered'],
  ['stored', 'deviceAnswered'],
  ['deviceAnswered', 'voiceJoined'],
  ['stored', 'ended'],
  ['callbackAnswered', 'ended'],
  ['deviceAnswered', 'ended'],
  ['voiceJoined', 'ended'],
];
/** A packet of G.711, ms; one leg may be open a little before and behind the session. */
const [PACKET_MS, AROUND_MS] = [20, 1_000];

/** Sentences about moments, lengths and counts of a record that contradict each other; none in a sound one. */
export function contradictionsIn({ at, kind, result, times, ...record }: SessionRecord): string[] {
  const { durationMs, speechMs, deliveries, legs = [] } = record;
  const { arrived, voiceJoined, ended } = times;
  const wrong = (is: boolean, sentence: string): string[] => (is ? [`${kind}: ${sentence}`] : []);
  return [
    ...wrong(arrived !== at, `it arrived at ${arrived}, and is of ${at}`),
    ...ORDER.flatMap(([first, second]) =>
      wrong(
        (times[first] ?? 0) > (times[second] ?? Number.POSITIVE_INFINITY),
        `${first} is behind ${second}`,
      ),
    ),
    ...wrong(ended === undefined && result !== 'running' && kind !== 'attempt', 'it has no end'),
    ...(ended === undefined
      ? []
      : [
          ...wrong(durationMs !== ended - at, `it lasts ${durationMs} ms, and ends after ${ended - at} ms`),
          ...wrong(
            speechMs !== (voiceJoined && ended - voiceJoined),
            `speech of ${speechMs} ms, joined ${voiceJoined && ended - voiceJoined} ms before the end`,
          ),
        ]),
    ...wrong((deliveries?.failed ?? 0) > (deliveries?.count ?? 0), 'more callbacks failed than there were'),
    ...wrong(
      deliveries !== undefined &&
        deliveries.failed > 0 &&
        deliveries.lastReason === undefined &&
        (deliveries.lastStatus ?? 0) < 300,
      'a callback failed without a reason',
    ),
    ...legs.flatMap(({ leg, received = 0, lost = 0 }) =>
      wrong(
        (received + lost) * PACKET_MS > (durationMs ?? 0) + AROUND_MS,
        `${received} packets of leg ${leg} in ${durationMs} ms`,
      ),
    ),
  ];
}
