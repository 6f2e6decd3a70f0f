import type { HostConnectivity } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  changesOfConnectivity,
  forgetConnectivity,
  hostByName,
  type Page,
  pageOf,
} from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import type { SitePort } from '../lifecycle/port.ts';

const KEPT_MS = 30 * 86_400_000;

/** How the connectivity of a host changed. Chosen: 30 days are kept, as long as a host goes on without the control plane. */
export const connectivity = ({ store }: Pick<SitePort, 'store'>) => ({
  /** Newest first. Fails with `notFound`, and with `invalid` when `after` was not given by this list. */
  changes: async (
    tenant: string,
    { siteId, hostId }: HostName,
    after: string,
    limit: number,
  ): Promise<Result<Page<HostConnectivity>>> => {
    if (after !== '' && !/^\d{1,15}$/.test(after))
      return fail(
        'invalid',
        '/nextToken: must be the nextToken of a previous page of this list',
        '/nextToken',
      );
    const host = await hostByName(store, tenant, siteId, hostId);
    if (host === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    const before = after === '' ? undefined : Number(after);
    const rows = await changesOfConnectivity(store, host.uid, before, limit + 1);
    return ok(
      pageOf(
        rows,
        limit,
        ({ at }) => String(at),
        (row) => ({ ...row }),
      ),
    );
  },

  /** Every few hours: a host that left writes nothing more, and its changes go too. */
  expire: (nowMs: number): Promise<void> => store.withTx((tx) => forgetConnectivity(tx, nowMs - KEPT_MS)),
});
