import type { Domain } from '#shared/id.ts';
import type { Account, Authorized, Directory } from './account.ts';
import { type AuthField, parseAuthField, quoted } from './auth-field.ts';
import { challengeValues } from './challenge.ts';
import type { AuthErrorReason, Decision, Identity, Md5Alone } from './decision.ts';
import type { Hash } from './digest.ts';
import { checkDigest } from './digest-check.ts';
import { type Attempt, DigestOffers, type Md5Cause, type Offered, permitted } from './digest-offer.ts';
import { DEFAULT_NONCE, type NonceSettings, NonceTable } from './nonce-table.ts';
import type { RequestFacts } from './request-info.ts';
import { SCANNER_AGENTS } from './scanner.codes.ts';
import { DEFAULT_GUARD, type GuardSettings, SourceGuard } from './source-guard.ts';

export interface AuthCrypto {
  readonly hash: Hash;
  /** Keyed with random bytes of this process; lower case hex, at least 32 digits. */
  readonly hmac: (text: string) => string;
  /** Compares in a time that does not depend on where the texts differ. */
  readonly equal: (a: string, b: string) => boolean;
}

export interface AuthSettings {
  readonly nonce?: Partial<NonceSettings>;
  readonly guard?: Partial<GuardSettings>;
}

/**
 * Decides who a request outside a dialog is from and whether it may go on; before any effect (`sip.md` rule 7).
 *
 *     device named by From ─┐                     ┌ credentials: digest, else challenged
 *     else, alarm: by CID ──┼─ known device ──────┼ deviceid: accepted (INVITE in its own alarm session only)
 *                           │                     ├ userid: bearer token on WebSocket, else refused
 *                           │                     └ disabled: refused
 *     else trunk by address or key ── accepted
 *     else unknown: MESSAGE with an alarm ── accepted as unknown unit; all else ── challenged
 *
 * Holds nonce counters and the standing of sources, both bounded; everything else comes in.
 */
export class Authenticator {
  readonly #directory: Directory;
  readonly #crypto: AuthCrypto;
  readonly #nonces: NonceTable;
  readonly #guard: SourceGuard;
  readonly #offers = new DigestOffers();

  constructor(directory: Directory, crypto: AuthCrypto, settings: AuthSettings = {}) {
    this.#directory = directory;
    this.#crypto = crypto;
    this.#nonces = new NonceTable(crypto.hmac, { ...DEFAULT_NONCE, ...settings.nonce });
    this.#guard = new SourceGuard({ ...DEFAULT_GUARD, ...settings.guard });
  }

  /** `nowMs`: monotonic milliseconds. */
  identify(facts: RequestFacts, nowMs: number): Decision {
    if (facts.method === 'ACK' || facts.method === 'CANCEL') return accepted({ kind: 'none' });
    const domain = this.#directory.tenant(facts.fromHost, facts.requestHost);
    const account = this.#account(facts, domain);
    if (account !== undefined) return this.#device(account, facts, nowMs);
    const trunk = this.#directory.trunk(domain, trunkClaim(facts));
    if (trunk !== undefined) return accepted({ kind: 'trunk', trunk });
    if (isAlarm(facts)) {
      return accepted({ kind: 'unknownUnit', domain, deviceId: facts.alarm?.cid ?? facts.fromUser });
    }
    return this.#digest(domain, facts.fromUser, undefined, facts, nowMs);
  }

  #account(facts: RequestFacts, domain: Domain): Account | undefined {
    const sender = facts.fromUser === '' ? undefined : this.#directory.device(domain, facts.fromUser);
    const cid = isAlarm(facts) ? facts.alarm?.cid : undefined;
    if (cid === undefined || cid === sender?.deviceId) return sender;
    const named = this.#directory.device(domain, cid);
    if (sender === undefined) return named;
    // Chosen: a whitelisted sender may speak for other whitelisted units and for units behind it (`disabled`),
    // but not for a device that has a secret of its own: that would be the way round the secret.
    const borrowed = named?.authType === 'credentials' || named?.authType === 'userid';
    return sender.authType === 'deviceid' && borrowed ? named : sender;
  }

  #device(account: Account, facts: RequestFacts, nowMs: number): Decision {
    if (facts.method === 'REGISTER' && facts.toUser !== account.deviceId) {
      return this.#refuse('foreignAddressOfRecord', account, facts, nowMs);
    }
    switch (account.authType) {
      case 'credentials':
        return this.#digest(account.domain, account.deviceId, account, facts, nowMs);
      case 'deviceid':
        return DEVICEID_METHODS.has(facts.method) || (facts.method === 'INVITE' && facts.ownAlarmSession)
          ? accepted({ kind: 'device', account })
          : this.#refuse('notPermitted', account, facts, nowMs);
      case 'userid':
        return this.#userid(account, facts, nowMs);
      case 'disabled':
        return this.#refuse('disabled', account, facts, nowMs);
    }
  }

  #digest(
    domain: Domain,
    deviceId: string,
    account: Extract<Account, { authType: 'credentials' }> | undefined,
    facts: RequestFacts,
    nowMs: number,
  ): Decision {
    const policy = account?.digestAlgorithm ?? 'auto';
    const device: Offered = { deviceId, ha1: account?.ha1, policy };
    const challenge = (stale: boolean): string[] => {
      const nonce = this.#nonces.make(facts.source, nowMs);
      return challengeValues(domain, nonce, stale, this.#offers.algorithms(device, nowMs));
    };
    const field = fieldOf(facts, 'digest', domain);
    if (field === undefined) {
      const began = this.#offers.unanswered(device, facts, facts.authorization.length > 0, nowMs);
      const decision = this.#challenge(challenge(false), undefined, domain, deviceId, facts, nowMs);
      return this.#with(decision, began ? 'noAnswer' : undefined, device, facts, nowMs);
    }
    const secret =
      account === undefined
        ? undefined
        : { usernames: [deviceId, `${deviceId}@${domain}`], ha1: permitted(account.ha1, policy) };
    const request = { method: facts.method, requestUri: facts.requestUri, realm: domain };
    const proof = checkDigest(this.#crypto.hash, this.#crypto.equal, field, request, secret);
    if (account === undefined || !proof.right) {
      const reason = account === undefined ? 'unknownDevice' : 'wrongCredentials';
      // A device that hashes by SHA-256 knows it: its password is wrong, and MD5 would not help.
      const isSha256 = field.parameters.get('response')?.length === SHA256_DIGITS;
      const began = !isSha256 && this.#offers.wrong(device, facts, nowMs);
      const decision = this.#challenge(challenge(false), reason, domain, deviceId, facts, nowMs);
      return this.#with(decision, began ? 'wrongAnswer' : undefined, device, facts, nowMs);
    }
    this.#guard.redeem(facts.source, nowMs);
    const state = this.#nonces.use(proof.nonce, facts.source, proof.count, nowMs);
    // The password is right, so this is always answered and at once: the device tries again by itself.
    if (state !== 'good') return { outcome: 'challenged', challenges: challenge(true), delayMs: 0 };
    const began = this.#offers.right(device, proof.algorithm, proof.named, facts, nowMs);
    const decision = accepted({ kind: 'device', account });
    return this.#with(decision, began ? 'algorithmMissing' : undefined, device, facts, nowMs);
  }

  /** The decision with the news that MD5 stands alone for this device; a name that no device has is no news. */
  #with(
    decision: Decision,
    cause: Md5Cause | undefined,
    { deviceId, ha1 }: Offered,
    { source }: Attempt,
    nowMs: number,
  ): Decision {
    if (cause === undefined || ha1 === undefined || decision.outcome === 'ignored') return decision;
    if (!this.#guard.mayTell(source, `${deviceId} digest`, nowMs)) return decision;
    const md5Alone: Md5Alone = { deviceId, source, cause };
    return decision.outcome === 'refused' ? decision : { ...decision, md5Alone };
  }

  #userid(account: Account & { readonly authType: 'userid' }, facts: RequestFacts, nowMs: number): Decision {
    const { domain, deviceId, authorized } = account;
    if (facts.transport !== 'WS' && facts.transport !== 'WSS') {
      return this.#refuse('wrongTransport', account, facts, nowMs);
    }
    const token = fieldOf(facts, 'bearer')?.token;
    const holder = token === undefined ? undefined : this.#directory.bearer(token);
    if (holder?.domain !== domain || holder.deviceId !== deviceId) {
      // RFC 8898 4; an absent token is no error (RFC 6750 3.1).
      const error = token === undefined ? '' : ', error="invalid_token"';
      const values = [`Bearer realm=${quoted(domain)}${error}`];
      return this.#challenge(
        values,
        token === undefined ? undefined : 'wrongToken',
        domain,
        deviceId,
        facts,
        nowMs,
      );
    }
    // Chosen: the token says what was allowed when it was issued, the configuration what is allowed now; both must.
    return permits(holder.authorized, facts) && permits(authorized, facts)
      ? accepted({ kind: 'device', account })
      : this.#refuse('notPermitted', account, facts, nowMs);
  }

  #challenge(
    challenges: readonly string[],
    reason: AuthErrorReason | undefined,
    domain: Domain,
    deviceId: string,
    facts: RequestFacts,
    nowMs: number,
  ): Decision {
    const delayMs = this.#delay(reason === undefined ? 'unanswered' : 'wrong', facts, nowMs);
    if (delayMs === undefined) return { outcome: 'ignored' };
    return {
      outcome: 'challenged',
      challenges,
      delayMs,
      ...this.#error(reason, domain, deviceId, facts, nowMs),
    };
  }

  #refuse(reason: AuthErrorReason, account: Account, facts: RequestFacts, nowMs: number): Decision {
    const delayMs = this.#delay('wrong', facts, nowMs);
    if (delayMs === undefined) return { outcome: 'ignored' };
    const { domain, deviceId } = account;
    return { outcome: 'refused', delayMs, ...this.#error(reason, domain, deviceId, facts, nowMs) };
  }

  /** How late the source gets its answer; undefined: never. An alarm is answered at once whatever its source did. */
  #delay(kind: 'unanswered' | 'wrong', facts: RequestFacts, nowMs: number): number | undefined {
    const standing = this.#guard.charge(facts.source, isScanner(facts.userAgent) ? 'scanner' : kind, nowMs);
    if (standing === 'open' || isAlarm(facts)) return 0;
    return standing === 'slowed' ? this.#guard.delayMs : undefined;
  }

  #error(
    reason: AuthErrorReason | undefined,
    domain: Domain,
    deviceId: string,
    facts: RequestFacts,
    nowMs: number,
  ) {
    if (reason === undefined || !this.#guard.mayTell(facts.source, deviceId, nowMs)) return {};
    return { authError: { domain, deviceId, source: facts.source, method: facts.method, reason } };
  }
}

/** The methods that a device without a secret may use by its name alone. */
const DEVICEID_METHODS: ReadonlySet<string> = new Set(['MESSAGE', 'REGISTER', 'OPTIONS']);

function permits({ register, invite, domain }: Authorized, facts: RequestFacts): boolean {
  if (domain !== undefined && domain.toLowerCase() !== facts.fromHost) return false;
  if (facts.method === 'REGISTER') return register;
  return facts.method !== 'INVITE' || invite(destinationOf(facts.requestUri));
}

/** As the pattern of a customer sees it: what decides where a call goes, and nothing that could pose as it. */
export function destinationOf(requestUri: string): string {
  const end = requestUri.search(/[;?]/);
  return (end < 0 ? requestUri : requestUri.slice(0, end)).replace(/:\d+$/, '');
}

const accepted = (identity: Identity): Decision => ({ outcome: 'accepted', identity });

const isAlarm = (facts: RequestFacts): boolean => facts.method === 'MESSAGE' && facts.alarm !== undefined;

function trunkClaim(facts: RequestFacts) {
  return {
    address: facts.source,
    ...(facts.trunkGroupId === undefined ? {} : { groupId: facts.trunkGroupId }),
    ...(facts.trunkKey === undefined ? {} : { key: facts.trunkKey }),
  };
}

function isScanner(userAgent: string): boolean {
  const agent = userAgent.toLowerCase();
  return agent !== '' && SCANNER_AGENTS.some((part) => agent.includes(part));
}

const SHA256_DIGITS = 64;

/** The first well-formed field of the scheme; for a digest the one for our realm, others are for other hops. */
function fieldOf(facts: RequestFacts, scheme: string, realm?: string): AuthField | undefined {
  for (const value of facts.authorization) {
    const field = parseAuthField(value);
    if (!field.ok || field.value.scheme !== scheme) continue;
    if (realm === undefined || field.value.parameters.get('realm') === realm) return field.value;
  }
  return undefined;
}
