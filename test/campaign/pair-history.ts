import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Delivery, JournalLog } from '#test/support/site-history.ts';
import { readJournal } from '#test/support/site-journal.ts';
import type { SitePair } from '#test/support/site-pair.ts';

/** What at least one host has, and what nobody has delivered. */
export function union({ hosts }: SitePair): JournalLog {
  const logs = hosts.map(({ folder }) => readJournal(join(folder, 'journal.db')));
  const callbacks = new Map<string, string[]>();
  for (const log of logs) {
    for (const [reference, ids] of log.callbacks) {
      callbacks.set(reference, [...new Set([...(callbacks.get(reference) ?? []), ...ids])]);
    }
  }
  return {
    stored: new Set(logs.flatMap(({ stored }) => [...stored])),
    callbacks,
    waiting: [...new Set(logs.flatMap(({ waiting }) => waiting))],
  };
}

export const deliveriesOf = ({ received }: SitePair): readonly Delivery[] =>
  received.flatMap(({ path, idempotencyKey: key, body }) => {
    const source = body.sourceAlarmEvent as { readonly fields?: { readonly ref?: unknown } } | undefined;
    const reference = source?.fields?.ref;
    return path === '/newAlarmbridgeEvent' && typeof reference === 'string' ? [{ reference, key }] : [];
  });

/** Rows that hosts said they carried on for another. */
export const takenOver = ({ hosts, logFile }: SitePair): number =>
  hosts
    .flatMap(({ hostId }) => readFileSync(logFile(hostId), 'utf8').split('\n'))
    .filter((line) => line.includes('what a lost host left is carried on here'))
    .reduce((sum, line) => sum + Number((JSON.parse(line) as { rows?: number }).rows ?? 0), 0);
