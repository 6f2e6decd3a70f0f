import type { LoginTries, WrongTries } from '#shared/authorize/index.ts';
import type { SecondFactorState, SessionRequest } from '#shared/contract/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Actor,
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  membershipByDomain,
  personByEmail,
  readSession,
  recordAudit,
  type SessionRow,
} from '../../store/index.ts';
import { rightsOf } from '../credential/maker.ts';
import type { TenancyPort } from '../credential/port.ts';
import type { Principal } from '../credential/principal.ts';
import type { SecondFactors } from './second-factor.ts';

/** How long a session lasts, whatever is done in it. */
const SESSION_MS = 12 * 3_600_000;
/** Some acts want a password given less than this ago (control plane, section 12). */
const FRESH_MS = 5 * 60_000;

export interface PersonSession {
  /** Sent with writing requests: derived from the cookie, which a page of another origin cannot read. */
  readonly csrfToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly authenticatedAt: number;
  readonly person: { readonly id: string; readonly email: string; readonly platformOwner: boolean };
  readonly secondFactor: SecondFactorState;
}

/** A session that begins: `cookie` and `browser` are for cookies alone. */
export interface SignedIn extends PersonSession {
  readonly cookie: string;
  readonly browser: string;
  /** Wrong tries of others since the last sign-in. */
  readonly wrongTries?: WrongTries;
}

/** Where a person has no role. It opens nothing. */
const NO_TENANT = { id: '', domain: '' } as const;

const MISSING = fail(
  'secondFactorRequired',
  'The request is refused: a tenant of the person demands a second factor, and this session has none. Set one up with POST /session/secondfactor, or sign in with a code.',
);

/** People who have signed in: a random cookie, of which only the hash is kept. */
export function sessions(port: TenancyPort, tries: LoginTries, factors: SecondFactors) {
  const { store, sha256, random, verifyPassword, wait } = port;
  /**
   * Mark of a browser in which this person came in: the stored password is its key, so that it ends with the password and nothing
   * is stored for it.
   */
  const markOf = (person: { id: string; passwordHash: string | null }, nonce: string): string =>
    `${nonce}.${sha256(`browser ${person.id} ${person.passwordHash} ${nonce}`)}`;
  const knows = (person: { id: string; passwordHash: string | null }, mark: string): boolean =>
    person.passwordHash !== null && markOf(person, mark.split('.', 1)[0] ?? '') === mark;
  const csrfOf = (cookie: string): string => sha256(`csrf ${cookie}`);

  const shown = async (
    cookie: string,
    session: SessionRow,
    person: PersonSession['person'],
  ): Promise<PersonSession> => {
    const isMissing = await factors.isMissing(store, session, person, undefined);
    return {
      csrfToken: csrfOf(cookie),
      expiresAt: session.expiresAt,
      authenticatedAt: session.createdAt,
      person: { id: person.id, email: person.email, platformOwner: person.platformOwner },
      secondFactor: await factors.state(person.id, session, isMissing),
    };
  };

  async function current(cookie: string, nowMs: number) {
    const found = await readSession(store, sha256(cookie));
    return found === undefined || found.session.expiresAt <= nowMs ? undefined : found;
  }

  return {
    /**
     * Fails with `unauthorized` for an unknown name and a wrong password alike, in words and in time; with
     * `tooManyRequests` and `retryAfterS` after five of them from one network. `mark`: of the browser, from an earlier sign-in.
     * Fails with `secondFactorRequired` for a right password alone of a person who has a second factor; that, too, counts as a try
     * until the code is right, so that a known password does not open unlimited guesses of codes.
     */
    signIn: async (
      { email, password, code }: SessionRequest,
      actor: Actor,
      mark = '',
    ): Promise<Result<SignedIn>> => {
      const name = email.trim().toLowerCase();
      const person = await personByEmail(store, name);
      const one = { name, source: actor.address, known: person !== undefined && knows(person, mark) };
      const free = await tries.begin(one, actor.at);
      if (!free.ok) return free;
      if (free.value.delayMs > 0) await wait?.(free.value.delayMs);
      if (!(await verifyPassword(password, person?.passwordHash ?? undefined)) || person === undefined)
        return fail(
          'unauthorized',
          'The sign-in failed: the e-mail address or the password is wrong. Check both.',
        );
      const cookie = `cs_${Buffer.from(random(32)).toString('base64url')}`;
      const times = { createdAt: actor.at, expiresAt: actor.at + SESSION_MS };
      const begun = await store.withTx(async (tx): Promise<Result<SessionRow>> => {
        const given = await factors.signIn(tx, person, code, actor);
        if (!given.ok) return given;
        await deleteExpiredSessions(tx, actor.at);
        const row: SessionRow = {
          ...{ hash: sha256(cookie), person: person.id, ...times },
          secondFactorAt: given.value ? actor.at : null,
        };
        await insertSession(tx, row);
        await recordAudit(
          tx,
          { ...actor, name: `person:${person.id}` },
          { tenant: '', action: 'sign in', entity: 'session', entityId: person.id },
        );
        return ok(row);
      });
      if (!begun.ok) return begun;
      const wrongTries = await tries.right(one, actor.at);
      const browser = markOf(person, Buffer.from(random(16)).toString('base64url'));
      return ok({
        ...(await shown(cookie, begun.value, person)),
        ...(wrongTries && { wrongTries }),
        cookie,
        browser,
      });
    },

    read: async (cookie: string, nowMs: number): Promise<PersonSession | undefined> => {
      const found = await current(cookie, nowMs);
      return found && (await shown(cookie, found.session, found.person));
    },

    end: (cookie: string): Promise<void> => store.withTx((tx) => deleteSession(tx, sha256(cookie))),

    csrfOf,

    hashOf: sha256,

    /**
     * The person of the cookie and the role in the tenant of the path; fails with `unauthorized`, and with `secondFactorRequired`
     * where the session lacks what a tenant demands. `isOwn`: what is asked for concerns the session alone.
     */
    principal: async (
      cookie: string,
      domain: string | undefined,
      nowMs: number,
      isOwn = false,
    ): Promise<Result<Principal>> => {
      const found = await current(cookie, nowMs);
      if (found === undefined)
        return fail('unauthorized', 'The request has no session: the session has ended. Sign in again.');
      const { person, session } = found;
      if (!isOwn && (await factors.isMissing(store, session, person, domain))) return MISSING;
      const who = {
        name: `person:${person.id}`,
        personId: person.id,
        authenticatedAt: session.createdAt,
      } as const;
      if (person.platformOwner)
        return ok({ ...who, platformOwner: true, tenant: null, role: 'owner', scopes: null });
      const member = domain === undefined ? undefined : await membershipByDomain(store, person.id, domain);
      const { id, domain: name } = member?.tenant ?? NO_TENANT;
      const rights = member && (await rightsOf(store, id, `person:${person.id}`, nowMs));
      return ok({
        ...who,
        platformOwner: false,
        tenant: { id, domain: name },
        role: rights?.role ?? 'viewer',
        scopes: rights === undefined ? [] : rights.scopes,
        ...(rights === undefined || rights.endsAt === null ? {} : { endsAt: rights.endsAt }),
      });
    },
  };
}

/**
 * For acts a person must not be talked into at an unattended screen. Machines have no screen: a token or key passes.
 * Fails with `reauthenticationRequired`.
 */
export function checkFresh({ authenticatedAt }: Principal, nowMs: number): Result<null> {
  if (authenticatedAt === undefined || nowMs - authenticatedAt < FRESH_MS) return ok(null);
  return fail(
    'reauthenticationRequired',
    'The request is refused: the password was entered more than 5 minutes ago. Sign in again.',
  );
}
