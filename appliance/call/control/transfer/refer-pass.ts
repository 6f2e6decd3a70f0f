import { notified, type ReferrerInput, type ReferState, referrer } from '../../../sip/dialog/index.ts';
import type { HeaderFields, SipRequest } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import type { ReferSubscriptions } from './refer-subscriptions.ts';

/** Names our REFER among the requests of a leg. */
const ON = 'refer on';
/** As long as a transfer of our own may take; who tells nothing until then has not done it. */
const LONGEST_MS = 180_000;

interface Passed {
  readonly asker: SipLeg;
  readonly sinceMs: number;
  /** Does it ourselves. */
  readonly locally: () => void;
  state: ReferState;
  accepted: boolean;
}

export interface PassedRefersDependencies {
  readonly refers: ReferSubscriptions;
  readonly nowMs: () => number;
  /** The peer of this leg speaks with another party now: the call is over. */
  readonly transferred: (leg: LegName) => void;
}

/*
 * REFER of a party that goes on to the other one, who calls for itself:
 *
 *   asker ─ REFER ─▶ us ─ REFER ─▶ peer ─┬─ refused, no answer: done by ourselves, as any other (call/session, transfer)
 *                                        └─ 202 ─▶ 202; NOTIFY ─▶ NOTIFY … ─┬─ 2xx: both are hung up on
 *                                                                           └─ else: the two talk on
 */
export class PassedRefers {
  readonly #dependencies: PassedRefersDependencies;
  /** By the leg that was asked. */
  readonly #passed = new Map<LegName, Passed>();

  constructor(dependencies: PassedRefersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks the peer of `other` to call `uri`; `locally` follows when it does not want to. */
  begin(asker: SipLeg, other: SipLeg, uri: string, locally: () => void): void {
    const sinceMs = this.#dependencies.nowMs();
    this.#passed.set(other.name, { asker, sinceMs, locally, state: referrer.initial, accepted: false });
    const by = other.dialog?.localAddress;
    const headers: HeaderFields = [
      ['Refer-To', `<${uri}>`],
      ...(by === undefined ? [] : [['Referred-By', by] as const]),
    ];
    other.send(ON, 'REFER', headers);
  }

  /** Is a transfer under way that this leg has been asked for? One without any report is given up. */
  busy(other: LegName): boolean {
    const passed = this.#passed.get(other);
    if (passed === undefined || this.#dependencies.nowMs() - passed.sinceMs < LONGEST_MS)
      return passed !== undefined;
    this.#step(other, passed, { kind: 'expired' });
    return false;
  }

  forget(leg: LegName): void {
    this.#passed.delete(leg);
  }

  /** Outcome of a request of ours. */
  replied(other: SipLeg, id: string, status: number): void {
    const passed = this.#passed.get(other.name);
    if (passed === undefined || id !== ON) return;
    if (status >= 300 && !passed.accepted) {
      this.#passed.delete(other.name);
      passed.locally();
    } else this.#step(other.name, passed, { kind: 'answered', status });
  }

  /** A NOTIFY; false: of no subscription of ours. */
  notified(other: SipLeg, request: SipRequest, server: number): boolean {
    const passed = this.#passed.get(other.name);
    if (passed === undefined || !/^refer\b/i.test(request.header('Event') ?? '')) return false;
    const input = notified(request.header('Subscription-State'), request.body);
    other.respond(server, 200);
    this.#step(other.name, passed, input);
    return true;
  }

  #step(other: LegName, passed: Passed, input: ReferrerInput): void {
    const { refers, transferred } = this.#dependencies;
    const { state, effects } = referrer.step(passed.state, input);
    passed.state = state;
    if (!passed.accepted && input.kind !== 'expired') {
      passed.accepted = true;
      refers.answered(passed.asker, 202);
    }
    for (const effect of effects) {
      if (effect.kind === 'progressed') {
        // The 202 has reported the begin.
        if (effect.status > 100) refers.onProgress(passed.asker, effect.status);
        continue;
      }
      this.#passed.delete(other);
      const status = effect.status === 0 ? 408 : effect.status;
      refers.onProgress(passed.asker, status);
      if (status < 300) transferred(other);
    }
  }
}
