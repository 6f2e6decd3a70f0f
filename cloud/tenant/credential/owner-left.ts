import { fail, type Result } from '#shared/result.ts';
import { type Call, listMembers, type Tx } from '../../store/index.ts';
import { rightsOf } from './maker.ts';

const LAST_OWNER = fail(
  'lastOwner',
  'The request is refused: this person is the last owner of the tenant. Make another person an owner first.',
);

/** Whether a person is left who may do everything: with the role, and with makers that have it too. */
async function hasOwner(tx: Tx, { tenant, actor }: Call): Promise<boolean> {
  let after = '';
  for (;;) {
    const page = await listMembers(tx, tenant, ['owner'], after, 100);
    for (const { person } of page)
      if ((await rightsOf(tx, tenant, `person:${person.id}`, actor.at))?.role === 'owner') return true;
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return false;
    after = last.person.id;
  }
}

/** Fails with `lastOwner` when `work` takes the last owner from a tenant that had one. */
export async function keepingOwner<T>(
  tx: Tx,
  call: Call,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const before = await hasOwner(tx, call);
  const result = await work();
  if (!result.ok || !before || (await hasOwner(tx, call))) return result;
  return LAST_OWNER;
}
