import {
  ALL_RIGHTS,
  type Area,
  commonRights,
  isAllowed,
  type Right,
  type Rights,
  scopesOf,
} from '#shared/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type GrantRow, grantOf, type Reader } from '../../store/index.ts';
import type { Principal } from './principal.ts';

/** The person behind the bootstrap token: the one maker without a limit, in every tenant. */
export const PLATFORM_OWNER_ID = 'platform-owner';
export const PLATFORM_OWNER_REF = `person:${PLATFORM_OWNER_ID}`;

/** Makers from one thing up to the one without a limit. Beyond it nothing more is made. */
const LONGEST_CHAIN = 64;

/** Makers of a thing, itself first, each with what it was given. Undefined = one of them is removed or they form a circle. */
export async function chainOf(
  from: Reader,
  tenant: string,
  ref: string | null,
): Promise<{ ref: string; grant: GrantRow }[] | undefined> {
  const chain: { ref: string; grant: GrantRow }[] = [];
  const seen = new Set<string>();
  let next = ref;
  while (next !== null && next !== PLATFORM_OWNER_REF) {
    if (seen.has(next)) return undefined;
    seen.add(next);
    const grant = await grantOf(from, tenant, next);
    if (grant === undefined) return undefined;
    chain.push({ ref: next, grant });
    next = grant.maker;
  }
  return chain;
}

/**
 * Rights that `person:<id>`, `key:<kid>` or `token:<id>` has in the tenant now: its own, as far as each of its makers has
 * them now. `ref` null = without a limit. Undefined = none: a maker is removed or has ended.
 */
export async function rightsOf(
  from: Reader,
  tenant: string,
  ref: string | null,
  nowMs: number,
): Promise<Rights | undefined> {
  const chain = await chainOf(from, tenant, ref);
  if (chain === undefined) return undefined;
  let rights = ALL_RIGHTS;
  for (const { grant } of chain) rights = commonRights(rights, given(grant));
  return rights.endsAt !== null && rights.endsAt <= nowMs ? undefined : rights;
}

/** The rights of a credential itself, without those of its makers. */
export const given = ({ role, scope, endsAt }: Omit<GrantRow, 'maker'>): Rights => ({
  role: role ?? 'owner',
  scopes: scopesOf(scope),
  endsAt,
});

/** Whether a maker still has the right that what he made stands on. `ref` null = made before makers were kept. */
export async function makerMay(
  from: Reader,
  tenant: string,
  ref: string | null,
  [area, right]: readonly [Area, Right],
  nowMs: number,
): Promise<boolean> {
  const rights = await rightsOf(from, tenant, ref, nowMs);
  return rights !== undefined && isAllowed(rights, area, right);
}

/** A claim stands on the right to make one. */
export const mayClaim = (from: Reader, tenant: string, maker: string | null, nowMs: number) =>
  makerMay(from, tenant, maker, ['site', 'lifecycle'], nowMs);

/** A browser is woken for its person, who may answer alarms at that moment. */
export const mayAnswerAlarms = (from: Reader, tenant: string, personId: string, nowMs: number) =>
  makerMay(from, tenant, `person:${personId}`, ['runtime', 'operation'], nowMs);

/** An address of a prompt file stands on the right to read it. */
export const mayReadPrompts = (from: Reader, tenant: string, maker: string | null, nowMs: number) =>
  makerMay(from, tenant, maker, ['provisioning', 'reading'], nowMs);

/** Fails with `conflict` where so many made each other that another one cannot be followed up to the first. */
export async function checkChain(from: Reader, tenant: string, maker: string): Promise<Result<null>> {
  const chain = await chainOf(from, tenant, maker);
  if (chain !== undefined && chain.length < LONGEST_CHAIN) return ok(null);
  return fail(
    'conflict',
    `The request is refused: the chain of creators has ${LONGEST_CHAIN} people, keys and tokens, the most that it can have. Let an owner create this one.`,
  );
}

/**
 * People are made by people, and by tokens and keys without a scope: who makes a person gives all that its role opens.
 * Fails with `unscopedTokenRequired`.
 */
export function checkMakesPeople({ scopes }: Principal): Result<null> {
  if (scopes === null) return ok(null);
  return fail(
    'unscopedTokenRequired',
    'Access is refused: a token with a scope cannot invite, change or remove people. Sign in, or use a token without a scope.',
  );
}

/** A thing without an end cannot be made by one that ends. Fails with `makerEnds`. */
export function checkLasts({ endsAt }: Principal, thing: string): Result<null> {
  if (endsAt === undefined) return ok(null);
  return fail(
    'makerEnds',
    `The request is refused: a token that expires cannot create ${thing}, which would end with it. Sign in, or use a token without an end.`,
  );
}
