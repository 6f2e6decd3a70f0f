import { type CallbackKey, type ReadyKey, readyKey } from './key.ts';
import { type ReplayMemory, replayMemory } from './memory.ts';
import { CallbackRefusal } from './refusal.ts';
import { type CallbackClaims, type ReadToken, readToken } from './token.ts';

export interface VerifierOptions {
  /** Every key that may sign now: old and new while keys change. */
  readonly keys: readonly CallbackKey[];
  /** Origins of this application as configured in the platform, such as `https://app.example`. */
  readonly audience: string | readonly string[];
  /** Tenants whose callbacks are taken; absent: every tenant that has one of the keys. */
  readonly domain?: string | readonly string[];
  /** Accepted difference between the clocks, seconds; default 60. */
  readonly clockSkewS?: number;
  /** Memory of used tokens; default: one of this process. `false`: tokens may be used again. */
  readonly replay?: ReplayMemory | false;
  /** Epoch ms; default: the clock of this machine. */
  readonly now?: () => number;
}

/** A callback as it arrived. `body` is the raw body: once parsed and written again it has another hash. */
export interface ArrivedCallback {
  readonly authorization: string | null | undefined;
  readonly body: Uint8Array | string;
}

/** Checks a callback; rejects with a `CallbackRefusal`. */
export type Verify = (callback: ArrivedCallback) => Promise<CallbackClaims>;

const CLOCK_SKEW_S = 60;

/** A function that checks callbacks: signature, tenant, receiver, time, body, and each token once. */
export function createVerifier(options: VerifierOptions): Verify {
  const keys = Promise.all(options.keys.map(readyKey));
  // A bad key is reported by the first callback, and by `ready` of the handler.
  keys.catch(() => undefined);
  const audiences = list(options.audience);
  const domains = options.domain === undefined ? undefined : list(options.domain);
  const skewS = options.clockSkewS ?? CLOCK_SKEW_S;
  const replay = options.replay ?? replayMemory();
  const now = options.now ?? Date.now;

  return async ({ authorization, body }) => {
    const nowMs = now();
    const token = readToken(authorization);
    await checkSignature(token, await keys, nowMs);
    const claims = claimsOf(token.payload);
    checkParties(claims, audiences, domains);
    checkTime(claims, nowMs / 1000, skewS);
    await checkBody(claims, typeof body === 'string' ? new TextEncoder().encode(body) : body);
    const untilMs = (claims.exp + skewS) * 1000;
    if (replay !== false && !(await replay.isFirst(`${claims.iss} ${claims.jti}`, untilMs, nowMs)))
      throw new CallbackRefusal(
        'replayed',
        `The token ${claims.jti} was used before.`,
        'Look for a proxy that sends requests twice; the platform signs every attempt by itself.',
      );
    return claims;
  };
}

/** Checks one callback without a memory of used tokens, for a program that keeps that memory itself. */
export const verify = (callback: ArrivedCallback, options: VerifierOptions): Promise<CallbackClaims> =>
  createVerifier({ ...options, replay: options.replay ?? false })(callback);

const list = (given: string | readonly string[]): readonly string[] =>
  typeof given === 'string' ? [given] : given;

async function checkSignature(token: ReadToken, keys: readonly ReadyKey[], nowMs: number): Promise<void> {
  const accepted = keys.filter(({ acceptedUntilMs }) => nowMs < acceptedUntilMs);
  const fitting = accepted.filter(({ algorithm }) => algorithm === token.algorithm);
  if (fitting.length === 0)
    throw new CallbackRefusal(
      'algorithmNotAllowed',
      `The token is signed with ${token.algorithm.slice(0, 16)}, and no key of this verifier has that algorithm.`,
      'Add the public key of the restAuthentication entry with its type; for copies of carillon listen the secret that it prints, with HS256.',
    );
  for (const key of fitting) if (await key.verifies(token.signature, token.signed)) return;
  throw new CallbackRefusal(
    'signatureInvalid',
    `No ${token.algorithm} key of this verifier made the signature.`,
    'Compare the key with that of the restAuthentication entry, or with the secret that carillon listen printed at this start; keep the old key while a new one is rolled out.',
  );
}

function claimsOf(payload: Readonly<Record<string, unknown>>): CallbackClaims {
  const kinds = {
    iss: 'string',
    aud: 'string',
    iat: 'number',
    exp: 'number',
    jti: 'string',
    bodySha256: 'string',
  };
  for (const [name, kind] of Object.entries(kinds))
    if (typeof payload[name] !== kind)
      throw new CallbackRefusal(
        'claimMissing',
        `The token has no claim ${name} that is a ${kind}.`,
        'Take tokens of the platform alone: another program signs with this key.',
      );
  return payload as CallbackClaims;
}

function checkParties(
  { aud, iss }: CallbackClaims,
  audiences: readonly string[],
  domains: readonly string[] | undefined,
): void {
  if (!audiences.includes(aud))
    throw new CallbackRefusal(
      'audienceWrong',
      `The token is for ${aud.slice(0, 200)}, and this application is ${audiences.join(' or ')}.`,
      'Set audience to the origin of the callbackBaseUrl, with its port when that is not 443.',
    );
  if (domains !== undefined && !domains.includes(iss))
    throw new CallbackRefusal(
      'issuerWrong',
      `The token is from the tenant ${iss.slice(0, 200)}, and ${domains.join(' or ')} is expected.`,
      'Set domain to the tenant, or give every tenant a key of its own.',
    );
}

function checkTime({ iat, exp }: CallbackClaims, nowS: number, skewS: number): void {
  if (iat > nowS + skewS)
    throw new CallbackRefusal(
      'issuedInFuture',
      `The token was issued ${Math.round(iat - nowS)} s in the future.`,
      'Set the clock of this machine and of the site by NTP.',
    );
  if (exp < nowS - skewS)
    throw new CallbackRefusal(
      'expired',
      `The token expired ${Math.round(nowS - exp)} s ago.`,
      'Set the clock of this machine and of the site by NTP; take callbacks at once, not from a queue.',
    );
}

async function checkBody({ bodySha256 }: CallbackClaims, body: Uint8Array): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== bodySha256)
    throw new CallbackRefusal(
      'bodyChanged',
      'The body is not the one that was signed.',
      'Pass the raw bytes of the body: once parsed and written again it has another hash.',
    );
}
