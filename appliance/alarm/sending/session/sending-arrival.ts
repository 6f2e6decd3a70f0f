import { decodeBs8521, type WaitingCall } from '#shared/alarm-event/index.ts';
import type { ActiveCall } from '../../../call/control/index.ts';
import { addressOf } from '../order/send-target.ts';
import { numbersOf } from '../speech/talk-relay.ts';
import type { ActiveSending } from './active-sending.ts';
import { isOfScheme } from './controller-table.ts';

/**
 * Calls and messages of receivers that do not wait for ours: a centre calls the controller of a scheme whose units wait. It is
 * known as whoever calls a number that such an event comes from.
 */
export class SendingArrivals {
  readonly #calls = new Map<string, ActiveCall>();
  readonly #cases: ReadonlyMap<string, ActiveSending>;
  readonly #onCalled: (id: string) => void;

  /** `onCalled`: the session is to take the call that has arrived for it (`take`), at once. */
  constructor(cases: ReadonlyMap<string, ActiveSending>, onCalled: (id: string) => void) {
    this.#cases = cases;
    this.#onCalled = onCalled;
  }

  /** Session of an event that waits for its receiver; undefined: none is sent from this number. */
  awaited(called: string): string | undefined {
    return this.#waiting(called).next().value?.facts.sessionId;
  }

  /** Units of a NOW-IP scheme that wait, as the centre may ask for them. */
  units(called: string): readonly WaitingCall[] {
    return [...this.#waiting(called)].flatMap(({ form, facts }): WaitingCall[] => {
      const fields = form?.kind === 'nowip' ? decodeBs8521(form.form.data) : undefined;
      return fields?.ok === true ? [{ id: facts.sessionId, fields: fields.value, selected: false }] : [];
    });
  }

  /** A centre asks for what waits, without a call: an event that was between two attempts goes out at once. */
  asked(called: string): void {
    for (const { session, facts } of this.#waiting(called))
      if (session.phase === 'pausing') {
        this.#onCalled(facts.sessionId);
        return;
      }
  }

  *#waiting(called: string): Generator<ActiveSending, undefined> {
    for (const known of this.#cases.values()) {
      const { form, target, session, facts, attempt } = known;
      if (form === undefined || !isOfScheme(form) || target === undefined) continue;
      const { phase, way } = session;
      const waits = phase === 'pausing' || (phase === 'attempting' && attempt?.isReached !== true);
      const numbers = numbersOf({ address: addressOf(target, way), order: facts.order });
      if (waits && numbers.includes(called.toLowerCase())) yield known;
    }
  }

  /** `turn`: runs when what the session does about it is done. */
  arrived(id: string, call: ActiveCall, turn: (work: () => void) => void): void {
    this.#calls.set(id, call);
    this.#onCalled(id);
    turn(() => {
      const text = 'nothing waits for this call any more';
      this.take(id)?.input({ kind: 'refuse', status: 480, text });
    });
  }

  take(id: string): ActiveCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}
