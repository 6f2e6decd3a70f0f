import type { CallbackCopy } from '#shared/contract/site/index.ts';
import type { CallbackCall, Caller, Delivery } from '../callback/index.ts';
import { maskedBody } from './mask.ts';

/** `Chosen:` as much as a developer reads back; the oldest give way, because a copy is no record. */
const MOST_COPIES = 200;
/** Characters of all bodies. */
const MOST_LENGTH = 1_048_576;
/** An answer to the cloud travels in parts of 64 KiB: this many characters fit with their escapes. */
const ANSWER_LENGTH = 24_000;
const LONGEST_BODY = 16_000;

interface Kept {
  readonly seq: number;
  readonly atMs: number;
  readonly call: CallbackCall;
  readonly id: string;
  readonly attempt: number;
  readonly late: boolean;
}

/** The copies that are asked for. */
export interface CopyQuery {
  /** Only those behind this number; absent: none of the past. */
  readonly after?: number | undefined;
  readonly traceId?: string | undefined;
  readonly filter?: string | undefined;
}

export interface CopyAnswer {
  readonly copies: readonly CallbackCopy[];
  /** The number to go on from. */
  readonly after: number;
  /** Copies behind the wanted number that gave way before they were asked for. */
  readonly dropped: number;
}

interface CopyOptions {
  /** Whether the tenant lets copies leave. */
  readonly isOn: () => boolean;
  readonly wallMs: () => number;
  readonly salt: string;
  readonly sha256Hex: (text: string) => string;
}

/**
 * The last callbacks of this host, for a developer who listens. It keeps a reference while a callback is sent, and masks only what
 * is asked for: an alarm pays one comparison and one push. Nothing is kept while the tenant has copies off.
 */
export class CallbackCopies {
  readonly #options: CopyOptions;
  readonly #kept: Kept[] = [];
  #length = 0;
  #seq = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /** Sends as `call` does, and keeps a copy of each attempt. */
  copying =
    (call: Caller): Caller =>
    (target, callback, delivery) => {
      const sent = call(target, callback, delivery);
      this.#keep(callback, delivery);
      return sent;
    };

  /** Masked copies, oldest first. Undefined: the tenant has copies off. */
  read({ after, traceId, filter }: CopyQuery): CopyAnswer | undefined {
    if (!this.#options.isOn()) {
      this.#kept.length = 0;
      this.#length = 0;
      return undefined;
    }
    const from = after ?? (traceId === undefined ? this.#seq : 0);
    const first = this.#kept[0]?.seq ?? this.#seq + 1;
    const dropped = traceId === undefined ? Math.max(0, first - 1 - from) : 0;
    const copies: CallbackCopy[] = [];
    let length = 0;
    let reached = this.#seq;
    for (const kept of this.#kept) {
      // A restart begins to count again: a number from before it names nothing here.
      if ((kept.seq <= from && from <= this.#seq) || (traceId !== undefined && kept.call.traceId !== traceId))
        continue;
      const copy = this.#masked(kept);
      if (filter !== undefined && !copy.path.includes(filter) && !copy.body.includes(filter)) continue;
      length += copy.body.length;
      if (length > ANSWER_LENGTH && copies.length > 0) {
        reached = kept.seq - 1;
        break;
      }
      copies.push(copy);
    }
    return { copies, after: reached, dropped };
  }

  #keep(call: CallbackCall, { id, attempt, late }: Delivery): void {
    if (!this.#options.isOn() || call.body.length > LONGEST_BODY) return;
    this.#seq += 1;
    this.#kept.push({ seq: this.#seq, atMs: this.#options.wallMs(), call, id, attempt, late });
    this.#length += call.body.length;
    while (this.#kept.length > MOST_COPIES || this.#length > MOST_LENGTH)
      this.#length -= this.#kept.shift()?.call.body.length ?? 0;
  }

  #masked({ seq, atMs, call, id, attempt, late }: Kept): CallbackCopy {
    const { salt, sha256Hex } = this.#options;
    return {
      ...{ seq, attempt, late },
      at: atMs,
      path: call.path === '' ? '/' : call.path,
      traceId: call.traceId,
      key: `copy-${call.key ?? id}`,
      eventSeq: call.eventSeq,
      body: maskedBody(call.body, salt, sha256Hex),
    };
  }
}
