import { commonRights, isAllowed, type Rights } from '#shared/access/index.ts';
import type { LeaveRequest } from '#shared/contract/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  endClaim,
  grantOf,
  handOver,
  type MadeRow,
  madeBy,
  partsOf,
  recordAudit,
  type Tx,
} from '../../store/index.ts';
import { adoptTokens, isLive, madeTree, refOf, removeMade } from './made.ts';
import { chainOf, given, PLATFORM_OWNER_ID, PLATFORM_OWNER_REF, rightsOf } from './maker.ts';
import type { Principal } from './principal.ts';
import { recordMade } from './replicated.ts';

/** Entries of the list that a refusal carries. */
const LISTED = 100;
const NOTHING: Rights = { role: 'viewer', scopes: [], endsAt: null };

export const OWNERS_ONLY = fail(
  'forbidden',
  'Access is refused: only an owner may add, change or remove owners. Ask an owner.',
);

/**
 * Settles what `ref` made before it goes: handed over, or revoked. Fails with `makerInUse` and the list when the request
 * says neither, with `invalid` for a successor that cannot be one, with `forbidden` where an owner would be removed.
 */
export async function settleMade(
  tx: Tx,
  call: Call,
  by: Principal,
  ref: string,
  { transferTo, revoke = false }: LeaveRequest,
): Promise<Result<null>> {
  const tree = await madeTree(tx, call.tenant, ref);
  if (transferTo !== undefined) return await transfer(tx, call, by, ref, transferTo);
  const live = tree.filter((row) => isLive(row, call.actor.at));
  if (live.length > 0 && !revoke) return inUse(ref, live);
  const owners = tree.some(
    ({ kind, role }) => (kind === 'user' || kind === 'invitation') && role === 'owner',
  );
  if (owners && by.role !== 'owner') return OWNERS_ONLY;
  for (const row of tree.toReversed()) await removeMade(tx, call, row);
  if (tree.length > 0) await audited(tx, call, 'revoke', ref, { made: tree.map(named) });
  return ok(null);
}

const named = ({ kind, id, name }: MadeRow) => ({ kind, id, ...(name === null ? {} : { name }) });

function inUse(ref: string, live: readonly MadeRow[]): Result<null> {
  const { error } = fail(
    'makerInUse',
    `${ref} cannot be removed: it created ${live.length} resources that are in use. Name a successor with transferTo, or send revoke=true to remove them too.`,
  );
  return {
    ok: false,
    error: { ...error, count: live.length, made: live.slice(0, LISTED).map(named) } as never,
  };
}

const audited = (tx: Tx, call: Call, action: string, ref: string, detail: object) =>
  recordAudit(tx, call.actor, { tenant: call.tenant, entity: 'maker', entityId: ref, action, detail });

/** Gives all that `ref` made to a successor. Nothing gains a right by it: each thing keeps at most what it may do now. */
async function transfer(
  tx: Tx,
  call: Call,
  by: Principal,
  ref: string,
  successor: string,
): Promise<Result<null>> {
  const { tenant, actor } = call;
  const chain = await successorChain(tx, call, by, ref, successor);
  if (!chain.ok) return chain;
  // A successor that `ref` made itself, at whatever distance, takes its place under the maker of `ref`.
  const raised = chain.value.find(({ grant }) => grant.maker === ref)?.ref;
  const above = (await grantOf(tx, tenant, ref))?.maker ?? null;
  const maker = await rightsOf(tx, tenant, ref, actor.at);
  const made = await madeBy(tx, tenant, ref);
  // Read before anything is moved, for each move changes what the others may do.
  const now: { row: MadeRow; rights: Rights }[] = [];
  for (const row of made) now.push({ row, rights: await rightsNow(tx, call, row, maker) });
  const person = await personOf(tx, tenant, successor);
  for (const { row, rights } of now) {
    const name = refOf(row);
    const scope = rights.scopes === null ? null : rights.scopes.join(' ');
    if (row.kind === 'claim' && !isAllowed(rights, 'site', 'lifecycle'))
      await endClaim(tx, row.key, actor.at);
    else
      await handOver(tx, tenant, row, {
        maker: name !== undefined && name === raised ? above : successor,
        role: rights.role,
        scope,
      });
    if (row.kind === 'apitoken' && name !== raised) await adoptTokens(tx, tenant, row.key, person);
  }
  await recordMade(tx, call, successor);
  await audited(tx, call, 'hand over', ref, { transferTo: successor, made: made.map(named) });
  return ok(null);
}

/** Makers of the successor, itself first. Fails with `invalid`. */
async function successorChain(tx: Tx, call: Call, by: Principal, ref: string, successor: string) {
  const refuse = (reason: string) => fail('invalid', `transferTo: ${reason}`, 'transferTo');
  if (successor === ref) return refuse('must not name the resource that is removed');
  if (successor === PLATFORM_OWNER_REF && by.personId !== PLATFORM_OWNER_ID)
    return refuse('must name another successor, because only the platform owner may name itself');
  const chain = await chainOf(tx, call.tenant, successor);
  const rights = chain && (await rightsOf(tx, call.tenant, successor, call.actor.at));
  if (chain === undefined || rights === undefined)
    return refuse(
      `must name a successor in this tenant, and ${successor} does not exist; send person:<id>, key:<kid> or token:<id>`,
    );
  if (rights.endsAt !== null) return refuse(`must name a successor without an end, and ${successor} expires`);
  return ok(chain);
}

async function rightsNow(tx: Tx, call: Call, row: MadeRow, maker: Rights | undefined): Promise<Rights> {
  if (maker === undefined) return NOTHING;
  const ref = refOf(row);
  if (ref !== undefined) return (await rightsOf(tx, call.tenant, ref, call.actor.at)) ?? NOTHING;
  return commonRights(given(row), maker);
}

/** The person that a maker's tokens act for; null for a key. */
async function personOf(tx: Tx, tenant: string, ref: string): Promise<string | null> {
  if (ref === PLATFORM_OWNER_REF) return PLATFORM_OWNER_ID;
  for (const each of (await chainOf(tx, tenant, ref)) ?? []) {
    const [kind, id] = partsOf(each.ref);
    if (kind === 'person') return id;
    if (kind === 'key') return null;
    if (each.grant.maker === PLATFORM_OWNER_REF) return PLATFORM_OWNER_ID;
  }
  return null;
}
