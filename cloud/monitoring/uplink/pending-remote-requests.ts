import type { RemoteOperation, RemoteRequest, RemoteResponse } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';

/** Hears the last part of the answer, or undefined when none came in time. */
export type Answered = (response: RemoteResponse | undefined) => void;

interface Open {
  readonly uid: string;
  readonly expiresMs: number;
  readonly answered: Answered;
  /** The parts of an answer, by number. */
  readonly parts: Map<number, RemoteResponse>;
}

/** An answer is at most this many parts. */
const MOST_PARTS = 64;

/** Requests to hosts that wait for an answer. */
export class PendingRemoteRequests {
  readonly #open = new Map<string, Open>();

  /** The request to send. Times are wall clock; `by` is for the audit of the host. */
  ask(
    uid: string,
    op: RemoteOperation,
    args: Record<string, unknown>,
    nowMs: number,
    forMs: number,
    random: Uint8Array,
    answered: Answered = () => undefined,
    by = 'system',
  ): RemoteRequest {
    const id = ulid(nowMs, random);
    this.#open.set(id, { uid, expiresMs: nowMs + forMs, answered, parts: new Map() });
    return { v: 1, id, op, exp: nowMs + forMs, by, args };
  }

  /** Gives up what has waited long enough. */
  expire(nowMs: number): void {
    for (const [id, { expiresMs, answered }] of this.#open) {
      if (expiresMs > nowMs) continue;
      this.#open.delete(id);
      answered(undefined);
    }
  }

  /** Whether a caller waited for it. A host can answer only what it was asked. */
  answer(uid: string, response: RemoteResponse, nowMs: number): boolean {
    const open = this.#open.get(response.id);
    if (open?.uid !== uid || open.expiresMs < nowMs) return false;
    open.parts.set(response.part, response);
    const whole = wholeOf(open.parts);
    if (whole === undefined && open.parts.size < MOST_PARTS) return true;
    this.#open.delete(response.id);
    open.answered(whole);
    return true;
  }
}

/** Parts come in any order and more than once; lists of the same name are one list. Undefined while one is missing. */
function wholeOf(parts: ReadonlyMap<number, RemoteResponse>): RemoteResponse | undefined {
  const last = [...parts.values()].find((part) => part.last);
  if (last === undefined || parts.size < last.part) return undefined;
  const data: Record<string, unknown> = {};
  for (let number = 1; number <= last.part; number++) {
    const part = parts.get(number);
    if (part === undefined) return undefined;
    for (const [name, value] of Object.entries(part.data)) {
      const before = data[name];
      data[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return { ...last, data };
}
