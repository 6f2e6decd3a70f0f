import type { RemoteOperation, RemoteRequest, RemoteResponse } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';

/** Hears the last part of the answer, or undefined when none came in time. */
export type Answered = (response: RemoteResponse | undefined) => void;

interface Open {
  readonly uid: string;
  readonly expiresMs: number;
  readonly answered: Answered;
}

/** Requests to hosts that wait for an answer. */
export class RemoteBook {
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
    this.#open.set(id, { uid, expiresMs: nowMs + forMs, answered });
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

  /** Whether somebody waited for it. A host can answer only what it was asked. */
  answer(uid: string, response: RemoteResponse, nowMs: number): boolean {
    const open = this.#open.get(response.id);
    if (open?.uid !== uid || open.expiresMs < nowMs) return false;
    if (response.last) {
      this.#open.delete(response.id);
      open.answered(response);
    }
    return true;
  }
}
