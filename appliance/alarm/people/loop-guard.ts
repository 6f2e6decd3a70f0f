import { addressUserOf } from '#shared/address-user.ts';
import { cliKey } from '#shared/matching/index.ts';
import type { CallControl, PlacedCall, ReceivedCall } from '../../call/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';

type ClaimedRequest = Pick<ReceivedCall['request'], 'from' | 'list'>;
type Claim = ReturnType<Parameters<CallControl['claimedBy']>[0]>;

/** Names the tenant whose list has placed a call, and the call. */
const LIST_FIELD = 'X-Carillon-List';
/** RFC 7989: it goes through the exchanges on the way, so that both ends have one name for the session. */
const SESSION_FIELD = 'Session-ID';
const NO_REMOTE = '0'.repeat(32);
const LOOP = 'this call of an emergency list came back by a trunk';

/** One call to a callee by a trunk. */
export interface GuardedCall {
  /** 32 hexadecimal digits. */
  readonly token: string;
  /** The number that the callee sees. */
  readonly shown: string;
  /** It rings: no person has answered. */
  rings: boolean;
  readonly looped: () => void;
}

/**
 * Recognises a call of a list that comes back to a receiver of ours: its destination is forwarded to one of our own numbers. The
 * call that came back is refused (482), and the call that we placed counts as not reached, so that the list goes on at once.
 *
 * A carrier may take our fields away. `Chosen:` then the number tells: while our call rings, a call by a trunk that names the number
 * of our own receiver as its caller is that call. A provisioned device with this number is never refused.
 */
export class LoopGuard {
  readonly #ports: TenantPorts;
  readonly #calls = new Set<GuardedCall>();

  constructor(ports: TenantPorts) {
    this.#ports = ports;
  }

  /** Watches over a call until `forget`. */
  watch(call: GuardedCall): GuardedCall {
    this.#calls.add(call);
    return call;
  }

  forget(call: GuardedCall | undefined): void {
    if (call !== undefined) this.#calls.delete(call);
  }

  /** Fields of the INVITE of such a call. */
  fieldsOf(token: string): readonly (readonly [name: string, value: string])[] {
    return [
      [LIST_FIELD, `${this.#ports.tenant().domain};id=${token}`],
      [SESSION_FIELD, `${token};remote=${NO_REMOTE}`],
    ];
  }

  /** The same, as a call is placed. */
  towards(token: string): NonNullable<PlacedCall['towards']> {
    return { login: undefined, headers: this.fieldsOf(token) };
  }

  /** The refusal of a call that is one of ours; undefined: it is none. */
  claim(request: ClaimedRequest, caller: ReceivedCall['caller']): Claim {
    if (caller.kind !== 'trunk') return undefined;
    const named = this.#named(request);
    const own = named ?? this.#shown(addressUserOf(request.from.uriText));
    if (own === undefined && !this.#isOfTenant(request)) return undefined;
    if (own !== undefined) own.looped();
    return { route: { kind: 'refused', status: 482, text: LOOP } };
  }

  #named(request: ClaimedRequest): GuardedCall | undefined {
    const values = [LIST_FIELD, SESSION_FIELD].flatMap((name) => request.list(name));
    return [...this.#calls].find(({ token }) => values.some((value) => value.includes(token)));
  }

  /** The other host of the site has placed it. */
  #isOfTenant(request: ClaimedRequest): boolean {
    const [value = ''] = request.list(LIST_FIELD);
    return value.split(';')[0]?.trim() === this.#ports.tenant().domain;
  }

  #shown(caller: string): GuardedCall | undefined {
    const key = cliKey(caller);
    if (!/^\+?\d{3,}$/.test(key) || this.#ports.tenant().byCli(key) !== undefined) return undefined;
    return [...this.#calls].find(({ rings, shown }) => rings && cliKey(shown) === key);
  }
}
