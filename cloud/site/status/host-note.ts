import { type HostNote, selfTestRecordSchema } from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Actor, mutate, putSelfTest, readHost, recordAudit, type Store } from '../../store/index.ts';

/** Writes the acts of technicians at a machine to the audit journal of its tenant: there it can be shown, and cannot be altered. */
export const hostNotes =
  ({ store }: { readonly store: Store }) =>
  /** Fails with `notFound` for a host that is none any more. */
  async (uid: string, note: HostNote, actor: Actor): Promise<Result<null>> => {
    const host = await readHost(store, uid);
    if (host === undefined) return fail('notFound', 'The host does not exist. Check the id.');
    const { kind, ...detail } = note;
    const { tenant, hostId } = host;
    return await mutate(store, { tenant, domain: '', actor }, async (tx) => {
      if (note.kind === 'selfTest') await putSelfTest(tx, uid, selfTestRecordSchema.parse(note.record));
      const what = { siteId: host.siteId, hostId, ...detail };
      await recordAudit(tx, actor, {
        tenant,
        action: `host.${kind}`,
        entity: 'host',
        entityId: uid,
        detail: what,
      });
      return ok(null);
    });
  };
