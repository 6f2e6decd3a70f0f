import { DEVICES_SEEN } from '#shared/contract/feed/index.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { cloudRow } from '../../delivery/site-report.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { HeartbeatRecord } from '../heartbeat/index.ts';

/** An event must fit into one message of 64 KiB, with what is around it. */
const MOST_BYTES = 40_000;
/** Around an id: quotes, expiration, brackets. */
const AROUND_BYTES = 24;

type ReportPorts = Pick<KernelPorts, 'clock' | 'random' | 'log' | 'run'> & JournalPorts & TenantPorts;

/**
 * Until when devices are good that were heard since the last check, for the cloud that shows it: some forty events of lane `usage` for
 * 40,000 devices in five minutes. Only while the cloud is there: the next check says it again, and says it better.
 */
export const heartbeatReporter =
  (ports: ReportPorts, connected: () => boolean) =>
  (records: readonly HeartbeatRecord[]): void => {
    if (!connected()) return;
    const rows = portionsOf(records).map((devices) =>
      cloudRow(ports, { lane: 'usage', type: DEVICES_SEEN, body: JSON.stringify({ devices }) }),
    );
    if (rows.length === 0) return;
    const stored = ports.journal.commit(rows.map((row) => ({ kind: 'outbox', row }) as const));
    ports.run(
      stored.catch((cause: unknown) =>
        ports.log(
          'warn',
          'devices_seen.store_failed',
          'Could not store the report of the devices that were seen',
          { type: DEVICES_SEEN, cause: String(cause) },
        ),
      ),
    );
  };

function portionsOf(records: readonly HeartbeatRecord[]): (readonly [string, number])[][] {
  const portions: (readonly [string, number])[][] = [];
  let left = 0;
  for (const { deviceId, expiresMs } of records) {
    const bytes = Buffer.byteLength(JSON.stringify(deviceId)) + AROUND_BYTES;
    if (bytes > left) {
      portions.push([]);
      left = MOST_BYTES;
    }
    left -= bytes;
    portions.at(-1)?.push([deviceId, expiresMs]);
  }
  return portions;
}
