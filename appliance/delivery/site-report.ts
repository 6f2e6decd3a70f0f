import { recordMs } from '#shared/clock.ts';
import { ulid } from '#shared/id.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import { cloudDestination, type JournalPorts, type Lane, type OutboxRow } from './outbox/index.ts';

/** Says something of this host to the cloud, durably; newest reports of one type replace older ones there. */
export type HostReport = (type: string, data: Readonly<Record<string, unknown>>) => void;

type ReportPorts = Pick<KernelPorts, 'clock' | 'random' | 'log' | 'run'> & JournalPorts & TenantPorts;

/** Reports about this host as events of lane `svc`. One that cannot be stored is logged: the next one says it all. */
export function hostReporter(ports: ReportPorts): HostReport {
  return (type, data) => {
    const row = cloudRow(ports, { lane: 'svc', type, body: JSON.stringify(data) });
    const stored = ports.journal.commit([{ kind: 'outbox', row }]);
    ports.run(
      stored.catch((cause: unknown) =>
        ports.log(
          'error',
          'host_report.store_failed',
          'Could not store a report of this host for the cloud',
          { type, cause: String(cause) },
        ),
      ),
    );
  };
}

const HOUR_MS = 3_600_000;

/** A row of the outbox that leads to the cloud. */
export function cloudRow(
  { clock, random, journal, tenant, place }: Omit<ReportPorts, 'log' | 'run'>,
  said: { readonly lane: Lane; readonly type: string; readonly body: string },
): OutboxRow {
  const wallMs = clock.wallMs();
  return {
    id: ulid(wallMs, random(10)),
    seq: journal.nextSeq(),
    ...said,
    tenant: tenant().domain,
    dest: cloudDestination,
    orderKey: said.type,
    createdWall: wallMs,
    createdMono: recordMs(clock),
    boot: journal.boot,
    epoch: place.epoch,
    notBefore: 0,
    attempts: 0,
    deadline: journal.runningMs + Math.round(clock.monoMs()) + 7 * 24 * HOUR_MS,
    expirePolicy: 'record',
    state: 'new',
    late: false,
    lastErr: null,
    authIdx: 0,
  };
}
