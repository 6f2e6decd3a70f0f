import type { LoginTries } from '#shared/authorize/index.ts';
import type { SecondFactorState } from '#shared/contract/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  deleteSecondFactor,
  demandsOf,
  markSession,
  type PersonRow,
  putSecondFactor,
  type Reader,
  readPerson,
  readSecondFactor,
  recordAudit,
  type SecondFactorRow,
  type SessionRow,
  type Tx,
  tenantByDomain,
  unmarkSessions,
} from '../../store/index.ts';
import type { TenancyPort } from '../credential/port.ts';
import { base32, stepOf } from './totp.ts';

/** RFC 4226 4, R6 proposes 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Chosen: 50 bits, as a claim code has: guessing is limited like that of a password. */
const RECOVERY_BYTES = 7;
const RECOVERY_SIGNS = 10;

/** The person whose second factor it is, and the session that acts. */
export interface OwnSession {
  readonly personId: string;
  /** Hash of its cookie. */
  readonly hash: string;
}

const WRONG = fail(
  'secondFactorWrong',
  'The code is refused: it is wrong, has ended, or was used before. Enter the code that the authenticator shows now.',
  '/code',
);
const NOT_SET = fail(
  'notFound',
  'The person has no second factor. Set one up with POST /session/secondfactor.',
);

/**
 * The second factor of a person: codes of an authenticator (RFC 6238), and recovery codes.
 *
 *     none ── begin ──▶ begun ── confirm, by a code ──▶ set ── remove, by a code; by the platform owner ──▶ none
 */
export function secondFactors(port: TenancyPort, tries: LoginTries) {
  const { store, random, sha256, hmacSha1, publicUrl } = port;

  /** Takes a code once. Undefined: it is wrong. */
  async function use(
    tx: Tx,
    row: SecondFactorRow,
    code: string,
    nowMs: number,
  ): Promise<'code' | 'recovery' | undefined> {
    const secret = Buffer.from(row.body.secret, 'base64url');
    const step = stepOf(code.replace(/\s/g, ''), { secret, lastStep: row.lastStep }, nowMs, hmacSha1);
    if (step !== undefined) {
      await putSecondFactor(tx, { ...row, lastStep: step });
      return 'code';
    }
    const given = sha256(plainRecovery(code));
    if (row.confirmedAt === null || !row.recovery.includes(given)) return undefined;
    await putSecondFactor(tx, { ...row, recovery: row.recovery.filter((left) => left !== given) });
    return 'recovery';
  }

  const audited = (tx: Tx, actor: Actor, personId: string, action: string) =>
    recordAudit(
      tx,
      { ...actor, name: `person:${personId}` },
      { tenant: '', action, entity: 'person', entityId: personId },
    );

  /** A code of a signed-in person counts as a try of the password's: a session that was left open must not be used to guess. */
  async function guarded<T>(
    personId: string,
    actor: Actor,
    work: (tx: Tx, person: PersonRow) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const person = await readPerson(store, personId);
    if (person === undefined) return NOT_SET;
    const one = { name: person.email, source: actor.address };
    const free = await tries.begin(one, actor.at);
    if (!free.ok) return free;
    if (free.value.delayMs > 0) await port.wait?.(free.value.delayMs);
    const done = await store.withTx((tx) => work(tx, person));
    if (done.ok) await tries.right(one, actor.at);
    return done;
  }

  return {
    /** Whether this session may do nothing but set a second factor up. `domain`: the tenant it enters; undefined: none. */
    isMissing: async (
      from: Reader,
      session: SessionRow,
      person: Pick<PersonRow, 'id' | 'platformOwner'>,
      domain: string | undefined,
    ): Promise<boolean> => {
      if (session.secondFactorAt !== null) return false;
      const tenant = domain === undefined ? undefined : await tenantByDomain(from, domain);
      const demands =
        tenant === undefined
          ? await demandsOf(from, person.platformOwner ? undefined : person.id)
          : [tenant.secondFactorSince ?? Number.POSITIVE_INFINITY];
      return demands.some((since) => session.createdAt >= since);
    },

    state: async (personId: string, session: SessionRow, isMissing: boolean): Promise<SecondFactorState> => {
      const row = await readSecondFactor(store, personId);
      const isSet = row !== undefined && row.confirmedAt !== null;
      return {
        isSet,
        isGiven: session.secondFactorAt !== null,
        isMissing,
        ...(isSet && { recoveryCodesLeft: row.recovery.length }),
      };
    },

    /**
     * The second step of a sign-in, in whose transaction the code is used up. Fails with `secondFactorRequired` where the person
     * has a second factor and sent no code, and with `secondFactorWrong`. Gives whether one was given.
     */
    signIn: async (
      tx: Tx,
      person: PersonRow,
      code: string | undefined,
      actor: Actor,
    ): Promise<Result<boolean>> => {
      const row = await readSecondFactor(tx, person.id);
      if (row === undefined || row.confirmedAt === null) return ok(false);
      if (code === undefined)
        return fail(
          'secondFactorRequired',
          'The sign-in is not complete: the account has a second factor. Send the code of the authenticator, or a recovery code, as code.',
          '/code',
        );
      const by = await use(tx, row, code, actor.at);
      if (by === undefined) return WRONG;
      if (by === 'recovery') await audited(tx, actor, person.id, 'use recovery code');
      return ok(true);
    },

    /** Whether a right password alone does not let this person in. */
    isSet: async (personId: string): Promise<boolean> =>
      ((await readSecondFactor(store, personId))?.confirmedAt ?? null) !== null,

    /** A secret for an authenticator. Fails with `conflict` where a second factor is set. */
    begin: async ({ personId }: OwnSession, actor: Actor): Promise<Result<{ secret: string; uri: string }>> =>
      await store.withTx(async (tx) => {
        const person = await readPerson(tx, personId);
        const before = await readSecondFactor(tx, personId);
        if (person === undefined) return NOT_SET;
        if (before !== undefined && before.confirmedAt !== null)
          return fail(
            'conflict',
            'The second factor is not replaced: one is set already. Remove it first with a code of it.',
          );
        const secret = random(SECRET_BYTES);
        await putSecondFactor(tx, {
          person: personId,
          body: { secret: Buffer.from(secret).toString('base64url') },
          confirmedAt: null,
          lastStep: 0,
          recovery: [],
          createdAt: actor.at,
        });
        const shown = base32(secret);
        return ok({ secret: shown, uri: otpauth(person.email, shown, new URL(publicUrl).hostname) });
      }),

    /** The first code proves that the authenticator has the secret. Gives the recovery codes. */
    confirm: async (
      { personId, hash }: OwnSession,
      code: string,
      actor: Actor,
    ): Promise<Result<{ recoveryCodes: string[] }>> =>
      await guarded(personId, actor, async (tx) => {
        const row = await readSecondFactor(tx, personId);
        if (row === undefined) return NOT_SET;
        if (row.confirmedAt !== null)
          return fail('conflict', 'The second factor is set already. Sign in with a code of it.');
        if ((await use(tx, row, code, actor.at)) === undefined) return WRONG;
        const used = await readSecondFactor(tx, personId);
        const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () =>
          newRecovery(random(RECOVERY_BYTES)),
        );
        const recovery = recoveryCodes.map((each) => sha256(plainRecovery(each)));
        await putSecondFactor(tx, { ...(used ?? row), confirmedAt: actor.at, recovery });
        await markSession(tx, hash, actor.at);
        await audited(tx, actor, personId, 'set up second factor');
        return ok({ recoveryCodes });
      }),

    /** Only with a code of it, since whoever finds an open session must not be able to. */
    remove: async ({ personId }: OwnSession, code: string, actor: Actor): Promise<Result<null>> =>
      await guarded(personId, actor, async (tx) => {
        const row = await readSecondFactor(tx, personId);
        if (row === undefined) return NOT_SET;
        if ((await use(tx, row, code, actor.at)) === undefined) return WRONG;
        await deleteSecondFactor(tx, personId);
        await unmarkSessions(tx, personId);
        await audited(tx, actor, personId, 'remove second factor');
        return ok(null);
      }),

    /** The platform owner takes it away from a person who has lost authenticator and recovery codes. */
    reset: async (personId: string, actor: Actor): Promise<Result<null>> =>
      await store.withTx(async (tx) => {
        if ((await readSecondFactor(tx, personId)) === undefined) return NOT_SET;
        await deleteSecondFactor(tx, personId);
        await unmarkSessions(tx, personId);
        await recordAudit(tx, actor, {
          tenant: '',
          action: 'reset second factor',
          entity: 'person',
          entityId: personId,
        });
        return ok(null);
      }),
  };
}

export type SecondFactors = ReturnType<typeof secondFactors>;

/** In groups of five, as people read them. */
const newRecovery = (bytes: Uint8Array): string =>
  base32(bytes)
    .slice(0, RECOVERY_SIGNS)
    .toLowerCase()
    .replace(/^(.{5})/, '$1-');

const plainRecovery = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

/** The key URI that authenticators read from a QR code. */
function otpauth(email: string, secret: string, host: string): string {
  const label = encodeURIComponent(`Carillon ${host}:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(`Carillon ${host}`)}`;
}
