import { BoundedMap } from '#shared/bounded-map.ts';
import { networkOf } from '#shared/source-network.ts';

/** Admits a person who has read the code at the machine itself (`carillon status`). */
export interface AccessTools {
  readonly random: (length: number) => Uint8Array;
  /** Keeps the code where only root and the appliance can read it. */
  readonly keepCode: (code: string) => void;
  /** Keeps the key of programs on this machine, likewise. */
  readonly keepLocalKey: (key: string) => void;
}

export type SignIn =
  | { readonly kind: 'signedIn'; readonly session: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'tooMany'; readonly retryAfterS: number };

/** 10^8 codes, 5 tries of a source network in 15 minutes: chosen, as for people at the cloud. */
const DIGITS = 8;
const TRIES = 5;
/** Chosen: from so many wrong tries on, networks with one of them wait; others get a first try, one of 10^8. */
const TRIES_IN_ALL = 20;
const TRIES_MS = 15 * 60_000;
/** Chosen: a visit on site. */
const SESSION_MS = 2 * 3_600_000;
const MOST_SESSIONS = 8;
const SESSION_BYTES = 24;

/**
 * A code that is good once, and the sessions it opened. Time is an argument. A machine that guesses shuts out its own network only:
 * a technician beside it gets in with the code that the host shows now.
 *
 *     code ──used──▶ session (2 h) and a new code        5 wrong tries of a network ──▶ it waits 15 min, and a new code
 */
export class TechnicianAccess {
  readonly #tools: AccessTools;
  readonly #sessions = new BoundedMap<string, number>(MOST_SESSIONS);
  #code = '';
  #localKey = '';
  #wrong: { readonly network: string; readonly at: number }[] = [];

  constructor(tools: AccessTools) {
    this.#tools = tools;
  }

  /** Makes the first code, and the key of programs on this machine. */
  open(): void {
    this.#renew();
    this.#localKey = this.#token();
    this.#tools.keepLocalKey(this.#localKey);
  }

  /** Asked by a program of this machine that may read what only root and the appliance can. */
  isLocal(key: string | undefined): boolean {
    return key !== undefined && this.#localKey !== '' && same(key, this.#localKey);
  }

  /** Spaces and hyphens do not matter. */
  signIn(typed: string, source: string, nowMs: number): SignIn {
    const network = networkOf(source);
    this.#wrong = this.#wrong.filter(({ at }) => nowMs - at < TRIES_MS);
    const own = this.#wrong.filter((each) => each.network === network);
    const [oldest] = own;
    if (oldest !== undefined && (own.length >= TRIES || this.#wrong.length >= TRIES_IN_ALL)) {
      return { kind: 'tooMany', retryAfterS: Math.ceil((oldest.at + TRIES_MS - nowMs) / 1_000) };
    }
    if (!same(typed.replaceAll(/[\s-]/g, ''), this.#code)) {
      this.#wrong.push({ network, at: nowMs });
      if (own.length + 1 >= TRIES) this.#renew();
      return { kind: 'wrong' };
    }
    this.#wrong = this.#wrong.filter((each) => each.network !== network);
    this.#renew();
    const session = this.#token();
    this.#forget(nowMs);
    this.#sessions.set(session, nowMs + SESSION_MS);
    return { kind: 'signedIn', session };
  }

  isSignedIn(session: string | undefined, nowMs: number): boolean {
    return session !== undefined && (this.#sessions.get(session) ?? 0) > nowMs;
  }

  signOut(session: string | undefined): void {
    if (session !== undefined) this.#sessions.delete(session);
  }

  #token(): string {
    return Buffer.from(this.#tools.random(SESSION_BYTES)).toString('base64url');
  }

  #forget(nowMs: number): void {
    for (const [session, untilMs] of this.#sessions) if (untilMs <= nowMs) this.#sessions.delete(session);
  }

  #renew(): void {
    let code = '';
    // Bytes from 250 on would make some digits more likely than others.
    while (code.length < DIGITS)
      for (const byte of this.#tools.random(DIGITS)) if (byte < 250) code += byte % 10;
    this.#code = code.slice(0, DIGITS);
    this.#tools.keepCode(`${this.#code.slice(0, 4)}-${this.#code.slice(4)}`);
  }
}

/** Takes the same time wherever the first difference is. */
function same(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < b.length; at++) difference |= (a.charCodeAt(at) || 0) ^ b.charCodeAt(at);
  return difference === 0;
}
