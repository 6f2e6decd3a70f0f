import { BoundedMap } from '#shared/bounded-map.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';

const KEPT_MS = 600_000;
const KEPT_LIMIT = 1_000;

/**
 * Answers already given to requests of the cloud, for ten minutes: QoS 1 may bring a request twice, and it must be done
 * once. Times are monotonic ms.
 */
export class AnsweredRequests {
  readonly #answers = new BoundedMap<
    string,
    { readonly response: RemoteResponse | undefined; readonly atMs: number }
  >(KEPT_LIMIT);

  /** `new`: do it, then `answer`. `underWay`: the first one is still being done. Else the answer given before. */
  open(id: string, nowMs: number): 'new' | 'underWay' | RemoteResponse {
    this.#forget(nowMs);
    const known = this.#answers.get(id);
    if (known !== undefined) return known.response ?? 'underWay';
    this.#answers.set(id, { response: undefined, atMs: nowMs });
    return 'new';
  }

  answer(response: RemoteResponse, nowMs: number): void {
    this.#answers.set(response.id, { response, atMs: nowMs });
  }

  /** The oldest come first. */
  #forget(nowMs: number): void {
    for (const [id, { atMs }] of this.#answers) {
      if (nowMs - atMs < KEPT_MS) return;
      this.#answers.delete(id);
    }
  }
}
