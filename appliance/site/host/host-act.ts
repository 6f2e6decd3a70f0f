import { type ConfigReport, HOST_ACT, type HostActData } from '#shared/contract/feed/index.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { cloudRow } from '../../delivery/site-report.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';

/** Reports an act of this host that the cloud did not ask for, for the audit log of its tenant. */
export type ReportAct = (act: HostActData) => void;

type ActPorts = Pick<KernelPorts, 'clock' | 'random' | 'log' | 'run'> & JournalPorts & TenantPorts;

/**
 * Acts as events of lane `audit`: they wait on the disk until the cloud has them. One that cannot be stored is logged, for it
 * has happened already. `isHost`: the machine belongs to a tenant; before that there is no audit log for it.
 */
export const hostActs =
  (ports: ActPorts, isHost: () => boolean): ReportAct =>
  (act) => {
    if (!isHost()) return;
    const row = cloudRow(ports, { lane: 'audit', type: HOST_ACT, body: JSON.stringify(act) });
    ports.run(
      ports.journal.commit([{ kind: 'outbox', row }]).catch((cause: unknown) =>
        ports.log('error', 'audit_entry.store_failed', 'Could not store an act for the audit log', {
          action: act.action,
          cause: String(cause),
        }),
      ),
    );
  };

/** A person brought a revision here in a file; `from`: the issuer of its manifest. */
export function tellBundle(
  tell: ReportAct,
  { scope, rev, res }: Pick<ConfigReport, 'scope' | 'rev' | 'res'>,
  from: string | undefined,
): void {
  if (res === 'applied' && from === 'bundle') tell({ action: 'bundle', detail: { scope, rev } });
}

/** Its own decision against a revision: the engines were not well with it, and the last known good one is back. */
export function tellReturn(
  tell: ReportAct,
  { scope, rev, res, applied, err }: Pick<ConfigReport, 'scope' | 'rev' | 'res' | 'applied' | 'err'>,
): void {
  if (res !== 'nack' || !err.some(({ code }) => code === 'healthGate')) return;
  const why = err.map(({ msg }) => msg).join('; ');
  tell({ action: 'lastKnownGood', detail: { scope, refused: rev, applied, why: why.slice(0, 300) } });
}
