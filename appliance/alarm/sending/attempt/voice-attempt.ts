import type { EndReason } from '../../../call/session/index.ts';
import type { ArcCall } from './arc-call.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import { notReached } from './over-reason.ts';
import type { CallAttemptPorts } from './tone-attempt.ts';

/** `voicecall`: the call itself is all that the receiver gets. An answered call is a taken event. */
export class VoiceAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: Pick<CallAttemptPorts, 'place' | 'turn'>;
  #call: ArcCall | undefined;
  #over = false;

  constructor(plan: AttemptPlan, user: AttemptUser, ports: Pick<CallAttemptPorts, 'place' | 'turn'>) {
    this.plan = plan;
    this.#user = user;
    this.#ports = ports;
  }

  begin(): void {
    const { turn, place } = this.#ports;
    const { trace, address } = this.plan;
    trace.add('alarmSending', { protocol: 'voicecall', destination: address.destination });
    this.#call = place(this.plan, {
      answered: () => turn(() => this.#answered()),
      mediaEvent: () => undefined,
      over: (reason, reached) => turn(() => this.#ended(reason, reached)),
    });
  }

  abandon(): void {
    this.#over = true;
    this.#call?.hangUp('the alarm is not sent any more');
  }

  #answered(): void {
    if (this.#over || this.#call === undefined) return;
    const { id, address } = this.plan;
    this.#user.signOfLife(true, '');
    this.#user.acknowledged(id, address.destination, this.#call.id);
    this.#user.speech(id, { kind: 'line', call: this.#call });
  }

  #ended(reason: EndReason, reached: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const { id } = this.plan;
    if (reached) this.#user.lineOver(id, reason.text, this.#call?.hasHungUp === true);
    else {
      const failure = notReached(reason);
      this.#user.signOfLife(false, failure.reason);
      this.#user.failed(id, failure);
    }
    this.#user.done();
  }
}
