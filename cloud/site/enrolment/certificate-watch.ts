import { hostsInLifecycle, type Lifecycle } from '../../store/index.ts';
import { subjectOf } from '../lifecycle/host-lifecycle.ts';
import type { LifecyclePort } from '../lifecycle/port.ts';

const WARN_MS = 14 * 86_400_000;
const DAY_MS = 86_400_000;
const BATCH = 500;
const CERTIFIED: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained'];

/** Raises `certificateExpiring` for hosts whose certificate ends within 14 days; a renewal clears it. Called once an hour. */
export async function watchCertificates({ store, alarms }: LifecyclePort, at: number): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await hostsInLifecycle(store, CERTIFIED, after, BATCH);
    for (const { host } of rows) {
      const expiresAt = host.certExpires;
      if (expiresAt === null || expiresAt > at + WARN_MS) continue;
      const days = Math.floor((expiresAt - at) / DAY_MS);
      const ends = days < 0 ? 'has ended' : `ends in ${days} days`;
      const message = `The certificate of host ${host.hostId} ${ends} and was not renewed. Check whether the host is connected.`;
      const details = { subject: host.uid, expiresAt };
      await store.withTx((tx) =>
        alarms.raise(tx, subjectOf(host), {
          error: 'certificateExpiring',
          service: '',
          severity: days < 3 ? 'critical' : 'warning',
          message,
          details,
        }),
      );
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.host.uid;
  }
}
