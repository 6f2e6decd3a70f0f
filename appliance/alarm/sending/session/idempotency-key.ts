import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type Idempotency, KEY_KEPT_MS, type SendingInfo } from './active-sending.ts';

/** Sessions by Idempotency-Key (decisions 1), also those that are over. */
export class IdempotencyKeys {
  readonly #facts = new Map<string, SendingInfo>();

  /** The session that this key has begun; a failure: with another request. */
  known({ key, bodyHash }: Idempotency): Result<SendingInfo | undefined, Failure<'idempotencyConflict'>> {
    const facts = this.#facts.get(key);
    if (facts === undefined || facts.idempotency?.bodyHash === bodyHash) return ok(facts);
    return fail('idempotencyConflict', 'this Idempotency-Key was used for another request; use a new one');
  }

  /** The oldest come first, so that those whose time is over are in front. */
  keep(facts: SendingInfo, nowMs: number): void {
    if (facts.idempotency === undefined) return;
    for (const [old, { createdMs }] of this.#facts) {
      if (createdMs > nowMs - KEY_KEPT_MS) break;
      this.#facts.delete(old);
    }
    this.#facts.set(facts.idempotency.key, facts);
  }

  /** Its session could not be stored: the key is free again. */
  drop({ idempotency }: SendingInfo): void {
    if (idempotency !== undefined) this.#facts.delete(idempotency.key);
  }
}
