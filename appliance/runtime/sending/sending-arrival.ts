import { isBs8521Group } from '#shared/alarm-event/index.ts';
import type { CallCase } from '../call/index.ts';
import type { AttemptPlan } from './attempt.ts';
import type { NativeForm } from './native-form.ts';
import { addressOf } from './send-target.ts';
import type { SendingCase } from './sending-case.ts';
import { numbersOf } from './talk-relay.ts';

/** A controller that we have spoken for: what its last event went out with. */
export type KnownController = Pick<AttemptPlan, 'order' | 'reference' | 'target' | 'address' | 'form'>;

/** `Chosen:` numbers of controllers that are known; the one that was used longest ago goes. */
const MOST_NUMBERS = 1_000;
const NOTHING_WAITS = 'nothing waits for ';

/**
 * Calls of receivers that do not wait for ours: a centre calls the controller of a scheme, of TT or BS 8521. It is known as whoever
 * calls a number that an event of the scheme comes from, or came from since this program began.
 */
export class SendingArrivals {
  readonly #calls = new Map<string, CallCase>();
  readonly #cases: ReadonlyMap<string, SendingCase>;
  readonly #onCalled: (id: string) => void;
  /** By number; oldest first. */
  readonly #controllers = new Map<string, KnownController>();

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

  /** An event goes out: from now on its controller is known by its numbers. */
  sent({ order, reference, target, address, form }: KnownController): void {
    if (!isOfScheme(form) || order.selfTest === true) return;
    for (const number of numbersOf({ address, order })) {
      this.#controllers.delete(number);
      this.#controllers.set(number, { order, reference, target, address, form });
    }
    for (const number of this.#controllers.keys())
      if (this.#controllers.size > MOST_NUMBERS) this.#controllers.delete(number);
  }

  /** Name under which a call to this controller arrives, for which nothing waits; undefined: the number is no controller's. */
  idle(called: string): string | undefined {
    const number = called.toLowerCase();
    return this.#controllers.has(number) ? `${NOTHING_WAITS}${number}` : undefined;
  }

  /** The controller of such a call; undefined: the call is for a session. */
  controllerOf(id: string): KnownController | undefined {
    return id.startsWith(NOTHING_WAITS) ? this.#controllers.get(id.slice(NOTHING_WAITS.length)) : undefined;
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
