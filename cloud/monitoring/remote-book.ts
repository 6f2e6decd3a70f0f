import type { RemoteOperation, RemoteRequest, RemoteResponse } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';

interface Open {
  readonly uid: string;
  readonly expiresMs: number;
  readonly answered: (response: RemoteResponse) => void;
}

/** Requests to hosts that wait for an answer. */
export class RemoteBook {
  readonly #open = new Map<string, Open>();

  /** The request to send; `answered` hears the last part, if it comes in time. Times are wall clock. */
  ask(
    uid: string,
    op: RemoteOperation,
    args: Record<string, unknown>,
    nowMs: number,
    forMs: number,
    random: Uint8Array,
    answered: (response: RemoteResponse) => void = () => undefined,
  ): RemoteRequest {
    for (const [id, { expiresMs }] of this.#open) {
      if (expiresMs > nowMs) break;
      this.#open.delete(id);
    }
    const id = ulid(nowMs, random);
    this.#open.set(id, { uid, expiresMs: nowMs + forMs, answered });
    return { v: 1, id, op, exp: nowMs + forMs, by: 'system', args };
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
