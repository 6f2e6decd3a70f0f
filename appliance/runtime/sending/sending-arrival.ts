import { isBs8521Group } from '#shared/alarm-event/index.ts';
import type { CallCase } from '../call/index.ts';
import type { NativeForm } from './native-form.ts';
import { addressOf } from './send-target.ts';
import type { SendingCase } from './sending-case.ts';
import { numbersOf } from './talk-relay.ts';

/**
 * Calls of receivers that do not wait for ours: a centre calls the controller of a scheme whose units wait, of TT or BS 8521. It is known as whoever
 * calls a number that such an event comes from.
 */
export class SendingArrivals {
  readonly #calls = new Map<string, CallCase>();
  readonly #cases: ReadonlyMap<string, SendingCase>;
  readonly #onCalled: (id: string) => void;

  /** `onCalled`: the session is to take the call that has arrived for it (`take`), at once. */
  constructor(cases: ReadonlyMap<string, SendingCase>, onCalled: (id: string) => void) {
    this.#cases = cases;
    this.#onCalled = onCalled;
  }

  /** Session of an event that waits for its receiver; undefined: none is sent from this number. */
  awaited(called: string): string | undefined {
    for (const { form, target, session, facts, attempt } of this.#cases.values()) {
      if (form === undefined || !isOfScheme(form) || target === undefined) continue;
      const { phase, way } = session;
      const waits = phase === 'pausing' || (phase === 'attempting' && attempt?.isReached !== true);
      const numbers = numbersOf({ address: addressOf(target, way), order: facts.order });
      if (waits && numbers.includes(called.toLowerCase())) return facts.sessionId;
    }
    return undefined;
  }

  /** `turn`: runs when what the session does about it is done. */
  arrived(id: string, call: CallCase, turn: (work: () => void) => void): void {
    this.#calls.set(id, call);
    this.#onCalled(id);
    turn(() => {
      const text = 'nothing waits for this call any more';
      this.take(id)?.input({ kind: 'refuse', status: 480, text });
    });
  }

  take(id: string): CallCase | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}

const isOfScheme = (form: NativeForm): boolean =>
  form.kind === 'tt' ? form.form.unit !== undefined : form.kind === 'bs8521' && isBs8521Group(form.fields);
