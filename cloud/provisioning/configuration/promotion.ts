import { fail, ok, type Result } from '#shared/result.ts';
import { allItems, type Call, deleteItems, mutate, putItem, readItem, type Tx } from '../../store/index.ts';
import { checkRoom } from '../resource/pattern-budget.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { record } from '../resource/record.ts';
import { RESOURCE_KINDS } from '../resource/resource-kind.ts';
import { checkRow } from '../resource/resource-row.ts';
import { PROMOTABLE, type PromotableSection, promotableSection } from '../resource/section.ts';
import { checkCredentials } from '../resource/signing-credential.ts';

/** Ids to promote; a list that is absent moves nothing, but when all are absent everything moves. */
export type Promotion = { readonly [section in PromotableSection]?: readonly string[] | undefined };

/** Ids now in the working set. */
export type Promoted = { readonly [section in PromotableSection]: string[] };

/**
 * Moves provisory rows into the working set: one transaction, one revision. Fails with `notFound` when an id has no
 * provisory row, with `invalid` when one names what is not in the working set; then nothing is moved.
 */
export const promote = (
  port: ProvisioningPort,
  call: Call,
  promotion: Promotion,
): Promise<Result<Promoted>> =>
  mutate(port.store, call, async (tx) => {
    const all = Object.values(promotion).every((ids) => ids === undefined);
    const promoted: Record<PromotableSection, string[]> = {
      alarmeventmappers: [],
      alarmbridges: [],
      cloudsipuas: [],
      trunks: [],
    };
    for (const name of PROMOTABLE) {
      const section = promotableSection(name);
      const moved = await promoteRows(tx, port, call, name, promotion[section], all);
      if (!moved.ok) return moved;
      promoted[section] = moved.value;
    }
    const room = await checkRoom(tx, { tenant: call.tenant, set: 'working' });
    return room.ok ? ok(promoted) : room;
  });

async function promoteRows(
  tx: Tx,
  port: ProvisioningPort,
  call: Call,
  name: (typeof PROMOTABLE)[number],
  ids: readonly string[] | undefined,
  all: boolean,
): Promise<Result<string[]>> {
  const { tenant } = call;
  const { entity, noun } = RESOURCE_KINDS[name];
  const drafts = await allItems(tx, name, { tenant, set: 'provisory' });
  const named = ids ?? (all ? drafts.map((row) => row.id) : []);
  const path = `/${promotableSection(name)}`;
  const missing = named.find((id) => !drafts.some((row) => row.id === id));
  if (missing !== undefined)
    return fail(
      'notFound',
      `The promotion is refused: the provisory set has no ${noun} ${missing}. Check the ids.`,
      path,
    );
  const chosen = drafts.filter((row) => named.includes(row.id));
  for (const row of chosen) {
    const { id, body } = row;
    // Mappers come first, so that a bridge finds the one that is promoted with it.
    const before = await readItem(tx, name, { tenant, set: 'working' }, id);
    const stands = await checkRow(tx, call, name, 'working', id, body);
    const signs = stands.ok ? checkCredentials(port, body, before?.body) : stands;
    if (!signs.ok) {
      // It conflicts with what is there, as a PUT of it would.
      const code = signs.error.code === 'conflict' ? 'conflict' : 'invalid';
      return fail(code, `${path}: ${id} cannot be promoted: ${signs.error.reason}`, path);
    }
    await putItem(tx, name, { ...row, set: 'working', updatedAt: call.actor.at });
    await record(tx, call, {
      resource: name,
      entity,
      id,
      action: 'promote',
      ...(before === undefined ? {} : { before: before.body }),
      after: body,
      massChange: true,
    });
  }
  await deleteItems(
    tx,
    name,
    { tenant, set: 'provisory' },
    chosen.map((row) => row.id),
  );
  return ok(chosen.map((row) => row.id));
}
