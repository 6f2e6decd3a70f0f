import {
  type CallbackCall,
  type CallbackPorts,
  type Caller,
  deliveryVerdict,
} from '../../../delivery/callback/index.ts';
import { noteCallback } from '../../../delivery/callback-trace.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';

const TIMEOUT_MS = 15_000;

type CallbackAttemptPorts = Pick<CallbackPorts, 'call'> &
  Pick<TenantPorts, 'tenant'> &
  Pick<KernelPorts, 'run' | 'clock'> & {
    readonly turn: (work: () => void) => void;
  };

/** Target `callback`: the event as an HTTPS request to partnerUrl. Taken is any 2xx. */
export class CallbackAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #ports: CallbackAttemptPorts;
  readonly #call: CallbackCall;
  #abandoned = false;

  constructor(plan: AttemptPlan, call: CallbackCall, user: AttemptUser, ports: CallbackAttemptPorts) {
    this.plan = plan;
    this.#call = call;
    this.#user = user;
    this.#ports = ports;
  }

  begin(): void {
    const { address, trace } = this.plan;
    trace.add('alarmSending', { protocol: 'callback', destination: address.destination });
    this.#ports.run(this.#post(this.#ports.call));
  }

  abandon(): void {
    this.#abandoned = true;
  }

  async #post(call: Caller): Promise<void> {
    const { id, address, target, trace } = this.plan;
    const endpoint = target.mapper?.targetEndpoint;
    const own = endpoint?.protocol === 'callback' ? (endpoint.restAuthentication ?? []) : [];
    const { restAuthentication = own } = target;
    const { domain } = this.#ports.tenant();
    const destClass = 'sending';
    const to = { domain, url: address.destination, restAuthentication, timeoutMs: TIMEOUT_MS, destClass };
    // The Idempotency-Key is that of the event: a receiver that has it already knows it again.
    const noteOutcome = noteCallback(trace, address.destination, this.#ports.clock.monoMs);
    const outcome = await call(to, this.#call, { id, attempt: 1, firstCredential: 0, late: false });
    this.#ports.turn(() => {
      noteOutcome(outcome);
      if (this.#abandoned) return;
      const verdict = deliveryVerdict(outcome);
      this.#user.signOfLife(outcome.kind === 'answered', outcome.kind === 'failed' ? outcome.reason : '');
      if (verdict.kind === 'delivered') {
        this.#user.acknowledged(id, this.#call.body, address.destination);
        this.#user.speech(id, { kind: 'none' });
      } else if (outcome.kind === 'answered') {
        const refused = outcome.status === 401 || outcome.status === 403;
        this.#user.failed(id, {
          warning: refused ? 'authFailed' : 'rejected',
          reason: `the receiver answered with status ${outcome.status}`,
          onward: outcome.status >= 400 && outcome.status < 500 && !refused ? 'once' : 'alternate',
        });
      } else this.#user.failed(id, { warning: 'noRoute', reason: outcome.reason, onward: 'alternate' });
      this.#user.done();
    });
  }
}
