import type { CallPurpose } from '../../call/session/index.ts';
import type { Admittance } from '../index.ts';
import { isUrgent } from './site-call.ts';

/** The fields of a SIP request outside a dialog that the cordon reads. */
export interface CordonRequest {
  readonly method: string;
  readonly to: { readonly tag?: string | undefined };
}

const RETRY_AFTER_S = 30;

/**
 * Decides which requests are still taken. A cordoned host turns OPTIONS and new ordinary dialogs away with 503, so that those
 * who can choose choose another; alarms and emergency calls are taken. A closed one takes nothing: the device tries its next
 * receiver.
 */
export class Cordon<Request extends CordonRequest = CordonRequest> {
  admittance: Admittance = 'open';
  /** A person has paused SIP on site. */
  paused = false;
  readonly #purposeOf: (request: Request) => CallPurpose;

  /** `purposeOf`: what the call is for that an INVITE would begin. */
  constructor(purposeOf: (request: Request) => CallPurpose) {
    this.#purposeOf = purposeOf;
  }

  /** Seconds for `Retry-After`; undefined = come in. A request in a dialog always may. */
  refusesForS(request: Request): number | undefined {
    const { method, to } = request;
    const open = this.admittance === 'open' && !this.paused;
    if (open || to.tag !== undefined || method === 'ACK' || method === 'CANCEL') return undefined;
    if (this.admittance === 'closed' || this.paused) return RETRY_AFTER_S;
    if (method === 'OPTIONS') return RETRY_AFTER_S;
    return method === 'INVITE' && !isUrgent(this.#purposeOf(request)) ? RETRY_AFTER_S : undefined;
  }
}
