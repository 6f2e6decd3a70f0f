import { RECORDING_READ } from '#shared/contract/feed/index.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import type { JournalPorts } from './outbox/index.ts';
import { cloudRow } from './site-report.ts';

type NotePorts = Pick<KernelPorts, 'clock' | 'random'> & JournalPorts & TenantPorts;

/** Whom a bearer token speaks for, without the token itself: its key, or the begin of its hash. */
export function bearerName(token: string, sha256Hex: (text: string) => string): string {
  const [head = '', , signature] = token.split('.');
  if (signature === undefined) return `token:${sha256Hex(token).slice(0, 16)}`;
  try {
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid?: unknown };
    return `key:${String(kid)}`;
  } catch {
    return 'key:unknown';
  }
}

/**
 * Notes the person who heard a recording at this site for the audit log of the tenant: an event of lane `audit`, on the disk
 * when it resolves. Rejects with `StorageFailed`: then the recording is not given out.
 */
export async function noteRecordingRead(
  ports: NotePorts,
  read: { readonly actor: string; readonly fileName: string },
): Promise<void> {
  const row = cloudRow(ports, { lane: 'audit', type: RECORDING_READ, body: JSON.stringify(read) });
  await ports.journal.commit([{ kind: 'outbox', row }]);
}
