import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import type { Delivery, JournalLog } from '#test/support/site-history.ts';
import { readJournal } from '#test/support/site-journal.ts';
import type { SitePair } from '#test/support/site-pair.ts';

/** Alarms that at least one host has, and alarms that no host has delivered. */
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
    .filter((line) => line.includes('"event":"takeover.completed"'))
    .reduce((sum, line) => sum + Number((JSON.parse(line) as { rows?: number }).rows ?? 0), 0);

/** The rows that each host has of these alarms, in words. */
export function whereabouts({ hosts }: SitePair, references: readonly string[]): readonly string[] {
  return hosts.map(({ hostId, folder }) => {
    const db = openSqlite({ file: join(folder, 'journal.db'), readonly: true });
    try {
      const bodies = (table: string): string =>
        db
          .prepare<[], { body: string }>(`SELECT body FROM ${table}`)
          .all()
          .map(({ body }) => body)
          .join('\n');
      const [own, held] = [bodies('event'), bodies(`peer_row WHERE kind = 'event'`)];
      const within = (text: string): number => references.filter((each) => text.includes(each)).length;
      return `${hostId} has ${within(own)} as its own and ${within(held)} as copies`;
    } finally {
      db.close();
    }
  });
}

/** Rows that a host still has to deliver, in words. */
export function undelivered({ hosts }: SitePair): readonly string[] {
  return hosts.flatMap(({ hostId, folder }) => {
    const db = openSqlite({ file: join(folder, 'journal.db'), readonly: true });
    try {
      const rows = db.prepare<[], Readonly<Record<string, unknown>>>(
        `SELECT id, type, state, attempts, not_before, last_err, origin, late, created_wall FROM outbox
         WHERE type = 'newAlarmbridgeEvent' AND state <> 'done' LIMIT 5`,
      );
      return rows.all().map((row) => `${hostId}: ${JSON.stringify(row)}`);
    } finally {
      db.close();
    }
  });
}
