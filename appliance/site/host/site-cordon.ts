import type { Admittance } from '../index.ts';

/** What the cordon reads of a SIP request outside a dialog. */
export interface CordonRequest {
  readonly method: string;
  readonly uriText: string;
  readonly to: { readonly tag?: string | undefined };
}

const RETRY_AFTER_S = 30;
/** Numbers that are answered wherever a phone still reaches us. */
const EMERGENCY = ['112', '911', '999'];

/**
 * Who is still taken in. A cordoned host turns OPTIONS and new ordinary dialogs away with 503, so that those who can
 * choose choose another; alarms and emergency calls are taken. A closed one takes nothing: the device tries its next
 * receiver.
 */
export class Cordon {
  admittance: Admittance = 'open';
  /** A person has paused SIP on site. */
  paused = false;
  readonly #isAlarm: (user: string) => boolean;

  /** `isAlarm`: whether the user part of a request's address leads to an alarm bridge. */
  constructor(isAlarm: (user: string) => boolean) {
    this.#isAlarm = isAlarm;
  }

  /** Seconds for `Retry-After`; undefined = come in. What belongs to a dialog always may. */
  refusesForS({ method, uriText, to }: CordonRequest): number | undefined {
    const open = this.admittance === 'open' && !this.paused;
    if (open || to.tag !== undefined || method === 'ACK' || method === 'CANCEL') return undefined;
    if (this.admittance === 'closed' || this.paused) return RETRY_AFTER_S;
    if (method === 'OPTIONS') return RETRY_AFTER_S;
    return method === 'INVITE' && !this.#urgent(uriText) ? RETRY_AFTER_S : undefined;
  }

  #urgent(uriText: string): boolean {
    const user = /^(?:sips?|tel):([^@;?]*)/i.exec(uriText)?.[1] ?? '';
    return EMERGENCY.includes(user) || this.#isAlarm(decoded(user));
  }
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
