import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { CompactSign } from 'jose';
import { KEY_TYP, MOST_KEY_STATEMENTS } from '#shared/contract/feed/index.ts';
import type { PlatformKey } from '#shared/contract/session-record/index.ts';
import type { KeyStatement, SiteKey, VerifyKey } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { KeptKey } from './kept-key.ts';

/** A key that signed until `sinceMs`, epoch ms. */
export interface FormerKey {
  readonly key: VerifyKey;
  readonly sinceMs: number;
}

/** A key whose signatures hosts take no more. */
export interface RetiredKey {
  readonly key: VerifyKey;
  /** Epoch ms; it signed nothing after this. */
  readonly retiredAt: number;
}

/** Chosen: evidence is kept for two years, and a key is changed a few times a year at most. */
const MOST_RETIRED = 32;

/**
 * Signs what hosts trust: twins and manifests. Its key may be replaced while hosts go on reading:
 *
 *     one key ── announceKey ── next ── turn ── former ── forget ── one key
 */
export interface Signer {
  /** Public keys that count, the signing one first; hosts pin them at enrolment, and get them after. */
  readonly verifyKeys: readonly VerifyKey[];
  /** The same with the statements by which each followed the one before it, as hosts get them. */
  readonly announcedKeys: readonly (VerifyKey & { readonly chain?: readonly string[] })[];
  /** The one that will sign once hosts know it. */
  readonly next: VerifyKey | undefined;
  /** The one that signed before. */
  readonly former: FormerKey | undefined;
  /** Keys that signed once and that no host trusts any more: evidence outlives them. */
  readonly retired: readonly RetiredKey[];
  /** Compact JWS (EdDSA) with `typ` and `kid` in its header over the JSON of `payload`. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  /** The next key signs from now on, also after a restart. */
  readonly turn: (nowMs: number) => Promise<void>;
  /** Hosts take signatures of the former key no more; its public part stays for evidence. */
  readonly forget: () => Promise<void>;
  /** Takes over what another process has changed. */
  readonly refresh: () => Promise<void>;
}

/** The content of the row; in an earlier version, or when nothing changes, the one key alone. */
interface Ring {
  readonly signs: SiteKey;
  readonly next?: SiteKey;
  readonly former?: FormerKey;
  /** Key statements, the oldest first: who looks away for long follows them to the key of now. */
  readonly chain?: readonly string[];
  readonly retired?: readonly RetiredKey[];
}

/** The platform's signing keys out of the database. */
export function openSigner(kept: KeptKey): Signer {
  let ring = ringOf(kept.text());
  let key = privateKeyOf(ring);
  const read = (): void => {
    ring = ringOf(kept.text());
    key = privateKeyOf(ring);
  };
  const change = async (to: Ring): Promise<void> => {
    // Where another process was first, its change is the one that counts, and the next round looks again.
    await kept.replace(textOf(to));
    read();
  };
  const verifyKeys = (): readonly VerifyKey[] => {
    const { signs, next, former } = ring;
    return [
      publicPart(signs),
      ...(next === undefined ? [] : [publicPart(next)]),
      ...(former === undefined ? [] : [former.key]),
    ];
  };
  return {
    get verifyKeys() {
      return verifyKeys();
    },
    get announcedKeys() {
      return verifyKeys().map((each) => {
        const chain = chainTo(each.kid, ring.chain);
        return chain.length === 0 ? each : { ...each, chain };
      });
    },
    get next() {
      return ring.next && publicPart(ring.next);
    },
    get former() {
      return ring.former;
    },
    get retired() {
      return ring.retired ?? [];
    },
    sign: (typ, payload) =>
      new CompactSign(Buffer.from(JSON.stringify(payload), 'utf8'))
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: ring.signs.kid })
        .sign(key),
    turn: async (nowMs) => {
      const { signs, next, chain = [], retired = [] } = ring;
      if (next !== undefined)
        await change({ signs: next, former: { key: publicPart(signs), sinceMs: nowMs }, chain, retired });
    },
    forget: async () => {
      const { signs, former, chain = [], retired = [] } = ring;
      const more = former === undefined ? [] : [{ key: former.key, retiredAt: former.sinceMs }];
      await change({ signs, chain, retired: [...retired, ...more].slice(-MOST_RETIRED) });
    },
    refresh: async () => {
      await kept.reload();
      read();
    },
  };
}

const privateKeyOf = ({ signs }: Pick<Ring, 'signs'>): KeyObject =>
  createPrivateKey({ key: { ...signs }, format: 'jwk' });

/**
 * Makes the key that will take the place of the signing one, while no control plane runs: from its next start it sends the key to
 * hosts. Gives the ids of both; fails with `underWay` while the change before has not ended.
 */
export async function announceKey(kept: KeptKey): Promise<Result<{ before: string; after: string }>> {
  const { signs, next, former, chain = [], retired = [] } = ringOf(kept.text());
  if (next !== undefined || former !== undefined)
    return fail(
      'underWay',
      `A change of the signing key is under way, to ${(next ?? signs).kid}: start the cloud, it ends by itself.`,
    );
  const made = createSiteKey();
  const statements = [...chain, statement(signs, made)].slice(-MOST_KEY_STATEMENTS);
  if (!(await kept.replace(textOf({ signs, next: made, chain: statements, retired }))))
    return fail('underWay', 'Another process has begun a change of the signing key: let that one end.');
  return ok({ before: signs.kid, after: made.kid });
}

/** By which the key that signs names the one that follows it: compact JWS (RFC 7515 7.1) of a `KeyStatement`. */
function statement(signs: SiteKey, next: SiteKey): string {
  const payload: KeyStatement = { v: 1, key: publicPart(next), after: signs.kid };
  const text = [{ alg: 'EdDSA', typ: KEY_TYP, kid: signs.kid }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign(null, Buffer.from(text), privateKeyOf({ signs })).toString('base64url')}`;
}

/** The statements up to the one that names this key, so that the row of a key never changes; none for the first key. */
function chainTo(kid: string, chain: readonly string[] = []): readonly string[] {
  const named = (compact: string): string => {
    const payload = Buffer.from(compact.split('.')[1] ?? '', 'base64url').toString('utf8');
    return (JSON.parse(payload) as KeyStatement).key.kid;
  };
  return chain.slice(0, chain.findIndex((compact) => named(compact) === kid) + 1);
}

function ringOf(text: string): Ring {
  const held = JSON.parse(text) as SiteKey | Ring;
  return 'signs' in held ? held : { signs: held };
}

function textOf(ring: Ring): string {
  // Alone it stands as it always did, so that a version from before can read it.
  const { next, former, chain = [], retired = [] } = ring;
  const isAlone = next === undefined && former === undefined && chain.length + retired.length === 0;
  return JSON.stringify(isAlone ? ring.signs : ring);
}

/** A new Ed25519 pair (RFC 8037); `kid` is the thumbprint (RFC 7638). */
export function createSiteKey(): SiteKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x, d } = privateKey.export({ format: 'jwk' });
  if (x === undefined || d === undefined) throw new Error('an Ed25519 key without x or d');
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid };
}

export const publicPart = ({ kty, crv, x, kid }: SiteKey): VerifyKey => ({ kty, crv, x, kid });

/** The key that signs now: its id, and its JWK thumbprint (RFC 7638) in base64url. */
export function fingerprintOf([signing]: readonly VerifyKey[]): { kid: string; fingerprint: string } {
  const { crv = '', kty = '', x = '', kid = '' } = signing ?? {};
  const fingerprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kid, fingerprint };
}

/** All keys by which this platform signs or has signed, as its JWK set shows them. */
export function shownKeys({ verifyKeys, retired }: Pick<Signer, 'verifyKeys' | 'retired'>): PlatformKey[] {
  const shown = ({ kty, crv, x, kid }: VerifyKey, retiredAt?: number): PlatformKey => ({
    ...{ kty, crv, x, kid, use: 'sig', alg: 'EdDSA' },
    fingerprint: fingerprintOf([{ kty, crv, x, kid }]).fingerprint,
    ...(retiredAt !== undefined && { retiredAt }),
  });
  return [
    ...verifyKeys.map((key) => shown(key)),
    ...retired.toReversed().map(({ key, retiredAt }) => shown(key, retiredAt)),
  ];
}
