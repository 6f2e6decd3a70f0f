import { NOWHERE, type Origin, type Remembered, RepeatMemory, sourceName } from '../repeat/index.ts';
import { initial, type LacsEffect, type LacsExchange, type LacsInput, step } from './exchange.ts';

/** How long a repeat is known, ms. */
export const REPEAT_MS = {
  // Chosen: as for SCAIP.
  named: 30 * 60_000,
  // Chosen: as for NOW-IP. Without a reference, a second press of the button says the same as a repeat.
  unnamed: 2 * 60_000,
} as const;

/** One request, as its sender and its content name it. */
export interface LacsArrival<T> {
  readonly at: number;
  /** Destination, sender and content. */
  readonly mark: string;
  readonly origin: Origin;
  readonly repeatMs: number;
  readonly by: T;
  readonly answer: string | undefined;
  readonly withinMs: number;
}

/** An effect and the exchange it belongs to. */
export type LacsTableEffect<T> = (
  | Exclude<LacsEffect<T>, { type: 'event' }>
  /** `possibleRepeatOf`: exchange of another source that said the same before. */
  | { readonly type: 'event'; readonly possibleRepeatOf?: string }
  /** Its source is a new one, and there are possible repeats enough: this one is only answered. */
  | { readonly type: 'counted' }
) & { readonly conversation: string };

/** An exchange on the disk: enough to answer its repeat. */
export interface PersistedLacs {
  readonly conversation: string;
  readonly answer: string | undefined;
  readonly dedupeMs?: number;
  /** The repeat has the same mark; absent: it is the conversation itself. */
  readonly mark?: string;
}

interface ReportedAlarm<T> extends Remembered {
  exchange: LacsExchange<T>;
}

/** The exchanges of a host with LACS devices, as long as their repeats are known. */
export class LacsTable<T> {
  readonly #memory: RepeatMemory<ReportedAlarm<T>>;

  constructor(most: number) {
    this.#memory = new RepeatMemory(most);
  }

  receive(arrival: LacsArrival<T>): readonly LacsTableEffect<T>[] {
    const { mark, origin, repeatMs, at, by, answer, withinMs } = arrival;
    const request: LacsInput<T> = { type: 'request', at, by, answer, withinMs };
    const verdict = this.#memory.judge(mark, origin, at);
    switch (verdict.kind) {
      case 'repeat':
        return this.#step(verdict.of, request);
      case 'counted':
        return [
          { type: 'counted', conversation: verdict.of.conversation },
          ...this.#step(verdict.of, request),
        ];
      case 'new':
      case 'possible': {
        const conversation = verdict.kind === 'new' ? mark : `${mark} ${sourceName(origin)}`;
        const reported = { mark, conversation, origin, repeatMs, stored: false, exchange: initial<T>() };
        this.#memory.add(reported, at);
        const first = verdict.kind === 'possible' ? { possibleRepeatOf: verdict.of.conversation } : {};
        return this.#step(reported, request).map((effect) =>
          effect.type === 'event' ? { ...effect, ...first } : effect,
        );
      }
    }
  }

  /** The session answers the event of this exchange: stored or not, decided, over. */
  input(
    conversation: string,
    input: Exclude<LacsInput<T>, { type: 'request' }>,
  ): readonly LacsTableEffect<T>[] {
    const reported = this.#memory.find(conversation);
    return reported === undefined ? [] : this.#step(reported, input);
  }

  /** The commit of its event has succeeded: the time of its repeats begins. */
  stored(conversation: string, at: number): void {
    this.input(conversation, { type: 'onDisk', at });
  }

  keep(conversation: string): PersistedLacs & { readonly dedupeMs: number } {
    const reported = this.#memory.find(conversation);
    const { mark = conversation, repeatMs: dedupeMs = REPEAT_MS.named } = reported ?? {};
    const other = mark === conversation ? {} : { mark };
    return { conversation, answer: reported?.exchange.answer, dedupeMs, ...other };
  }

  restore(kept: PersistedLacs, origin: Origin = NOWHERE, at: number): void {
    const { conversation, answer, dedupeMs: repeatMs = REPEAT_MS.named, mark = conversation } = kept;
    const exchange = { state: 'taken', answer, waiting: [] } as const;
    this.#memory.add({ mark, conversation, origin, repeatMs, stored: true, exchange }, at);
  }

  #step(reported: ReportedAlarm<T>, input: LacsInput<T>): readonly LacsTableEffect<T>[] {
    const { state, effects } = step(reported.exchange, input);
    reported.exchange = state;
    if (state.state === 'taken' && !reported.stored) this.#memory.stored(reported.conversation, input.at);
    if (state.state === 'new') this.#memory.drop(reported.conversation);
    return effects.map((effect) => ({ ...effect, conversation: reported.conversation }));
  }
}
