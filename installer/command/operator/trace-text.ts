import { type SessionTrace, TRACE_PARTIES, type TraceStep } from '#shared/contract/session-record/index.ts';
import { sentenceOf, spoken } from './trace-sentence.ts';

/** Columns of a ladder, from left to right: the device stands before the host. */
const LADDER = TRACE_PARTIES.toSorted((a, b) => Number(b === 'device') - Number(a === 'device'));
const COLUMN = 14;

/** The trace for a person: time since the first step, host, sentence. */
export function* timelineOf(trace: SessionTrace): Generator<string> {
  yield* headOf(trace);
  const first = trace.steps[0]?.at ?? 0;
  for (const [step, sentence] of spoken(trace.steps)) yield lineOf(step, sentence, first);
}

function lineOf(step: TraceStep, sentence: string, first: number): string {
  const at = (step.at - first).toFixed(1).padStart(9);
  return `${at} ms  ${step.hostId.padEnd(COLUMN)}  ${sentence}`;
}

/** The timeline of a session that runs, as it grows: each step once, in the order in which the steps come. */
export class TraceTail {
  readonly #shown = new Set<string>();
  #first: number | undefined;
  #isBegun = false;

  /** Lines that were not shown yet. */
  *next(trace: SessionTrace): Generator<string> {
    if (!this.#isBegun) yield* headOf(trace);
    this.#isBegun = true;
    this.#first ??= trace.steps[0]?.at;
    for (const step of trace.steps) {
      const key = JSON.stringify(step);
      if (this.#shown.has(key)) continue;
      this.#shown.add(key);
      yield lineOf(step, sentenceOf(step), this.#first ?? step.at);
    }
  }
}

/** The trace as a ladder of text: an arrow between the host and the other side, acts of the host as a star. */
export function* ladderOf(trace: SessionTrace): Generator<string> {
  yield* headOf(trace);
  const used = LADDER.filter((party) => party === 'host' || trace.steps.some((step) => step.party === party));
  const place = (party: (typeof LADDER)[number]): number => used.indexOf(party) * COLUMN;
  yield `${' '.repeat(13)}${used.map((party) => party.padEnd(COLUMN)).join('')}`.trimEnd();
  const first = trace.steps[0]?.at ?? 0;
  for (const [step, sentence] of spoken(trace.steps)) {
    const line = Array.from<unknown, string>({ length: used.length * COLUMN }, (_, at) =>
      at % COLUMN === 0 ? '|' : ' ',
    );
    const [own, other] = [place('host'), place(step.party)];
    if (own === other) line[own] = '*';
    else {
      const [left, right] = own < other ? [own, other] : [other, own];
      for (let at = left + 1; at < right; at++) line[at] = '-';
      const toRight = (step.direction === 'out') === own < other;
      line[toRight ? right - 1 : left + 1] = toRight ? '>' : '<';
    }
    yield `${(step.at - first).toFixed(1).padStart(9)} ms ${line.join('')} ${sentence}`;
  }
}

function* headOf({ traceId, recordId, hosts, events }: SessionTrace): Generator<string> {
  yield `trace ${traceId}   record ${recordId}`;
  for (const { hostId, state, since, reason } of hosts) {
    if (state === 'away')
      yield `${hostId} is away${since === undefined ? '' : ` since ${new Date(since).toISOString()}`}; its steps are missing.`;
    if (state === 'failed') yield `${hostId} did not send its steps: ${reason ?? 'it gave no reason'}.`;
    if (state === 'empty') yield `${hostId} has no step of this trace, or has overwritten it.`;
  }
  if (events.length > 0 && hosts.some(({ state }) => state !== 'sent'))
    for (const { at, type, hostId } of events)
      yield `${new Date(at).toISOString()}  ${hostId ?? '-'}  event ${type}`;
}
