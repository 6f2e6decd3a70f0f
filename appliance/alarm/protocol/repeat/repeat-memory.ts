import { judgeRepeat, type Origin, type RepeatVerdict, type Telling } from './source.ts';

/** An alarm that was taken over, or is on its way to the disk. */
export interface Remembered extends Telling {
  /** Destination, sender, and content or reference: its repeat has the same. */
  readonly mark: string;
  /** Names it among all; of the first of a mark it is the mark itself. */
  readonly conversation: string;
  /** How long its repeat is no new alarm, ms, from when it is on the disk. */
  readonly repeatMs: number;
  /** It is on the disk. */
  stored: boolean;
}

interface Known<T> {
  readonly telling: T;
  untilMs: number;
}

/**
 * Alarms that were taken over lately. The caller asks for the verdict on what it hears, adds what it tells, and says what became of it.
 * `at`: monotonic ms.
 */
export class RepeatMemory<T extends Remembered = Remembered> {
  readonly #most: number;
  /** By mark; the mark that was reported last is the last one. */
  readonly #reported = new Map<string, readonly Known<T>[]>();
  /** Marks of conversations that have another name. */
  readonly #marks = new Map<string, string>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#reported.size;
  }

  judge(mark: string, origin: Origin, at: number): RepeatVerdict<T> {
    return judgeRepeat(this.of(mark, at), origin);
  }

  /** Tellings of this mark that are still remembered, the oldest first. */
  of(mark: string, at: number): readonly T[] {
    return this.#current(mark, at).map(({ telling }) => telling);
  }

  add(telling: T, at: number): void {
    const { mark, conversation, repeatMs } = telling;
    for (const known of this.#reported.keys()) {
      if (this.#reported.size < this.#most && this.#current(known, at).length > 0) break;
      this.#forget(known);
    }
    const others = this.#current(mark, at).filter((one) => one.telling.conversation !== conversation);
    this.#forget(mark);
    this.#set(mark, [...others, { telling, untilMs: at + repeatMs }]);
  }

  find(conversation: string): T | undefined {
    return this.#known(conversation)?.telling;
  }

  /** Its time begins. */
  stored(conversation: string, at: number): void {
    const known = this.#known(conversation);
    if (known === undefined) return;
    known.telling.stored = true;
    known.untilMs = at + known.telling.repeatMs;
  }

  /**
   * Input of a session to its device. An event that is not on the disk is forgotten, so that its device can say it
   * again: one that could not be stored, or whose session ended before (its receiver was removed).
   */
  fate(conversation: string, input: 'stored' | 'storeFailed' | 'decision' | 'sessionEnded'): void {
    const isLost = input === 'sessionEnded' && this.find(conversation)?.stored === false;
    if (input === 'storeFailed' || isLost) this.drop(conversation);
  }

  /** It is not on the disk: what its device says again is new. */
  drop(conversation: string): void {
    const mark = this.#marks.get(conversation) ?? conversation;
    const left = (this.#reported.get(mark) ?? []).filter((one) => one.telling.conversation !== conversation);
    this.#forget(mark);
    this.#set(mark, left);
  }

  #known(conversation: string): Known<T> | undefined {
    const mark = this.#marks.get(conversation) ?? conversation;
    return this.#reported.get(mark)?.find(({ telling }) => telling.conversation === conversation);
  }

  #current(mark: string, at: number): readonly Known<T>[] {
    return (this.#reported.get(mark) ?? []).filter(({ telling, untilMs }) => untilMs > at || !telling.stored);
  }

  #set(mark: string, reported: readonly Known<T>[]): void {
    if (reported.length === 0) return;
    this.#reported.set(mark, reported);
    for (const { telling } of reported)
      if (telling.conversation !== mark) this.#marks.set(telling.conversation, mark);
  }

  #forget(mark: string): void {
    for (const { telling } of this.#reported.get(mark) ?? []) this.#marks.delete(telling.conversation);
    this.#reported.delete(mark);
  }
}
