import { openJournal, openSqlite } from '#appliance/io/sqlite/index.ts';
import type { Delivered } from './site.ts';
import type { Delivery, JournalLog } from './site-history.ts';

/** Opens a journal as the appliance does when it starts, with all its repairs, and closes it. No other program may have it open. */
export async function recoverJournal(file: string): Promise<void> {
  await (await openJournal({ file })).close();
}

/** Which alarms a journal holds; also while the appliance runs. */
export function readJournal(file: string): JournalLog {
  const db = openSqlite({ file, readonly: true });
  try {
    const events = db.prepare<[], { session: string; body: string }>(
      'SELECT session_id session, body FROM event ORDER BY rowid',
    );
    const referenceOf = new Map<string, string>();
    for (const { session, body } of events.iterate()) {
      const event = JSON.parse(body) as {
        readonly source?: { readonly fields?: { readonly ref?: unknown } };
      };
      referenceOf.set(session, named(event.source?.fields?.ref));
    }
    const rows = db.prepare<[], { id: string; session: string; state: string }>(
      `SELECT id, order_key session, state FROM outbox WHERE type = 'newAlarmbridgeEvent' ORDER BY seq`,
    );
    const callbacks = new Map<string, string[]>();
    const waiting: string[] = [];
    for (const { id, session, state } of rows.iterate()) {
      const reference = referenceOf.get(session) ?? session;
      callbacks.set(reference, [...(callbacks.get(reference) ?? []), id]);
      if (state !== 'done') waiting.push(reference);
    }
    return { stored: new Set(referenceOf.values()), callbacks, waiting };
  } finally {
    db.close();
  }
}

/** The alarms among what the application got; platform alarms are no deliveries. */
export const deliveries = (received: readonly Delivered[]): Delivery[] =>
  received
    .filter(({ path }) => path === '/newAlarmbridgeEvent')
    .map(({ reference, key }) => ({ reference: named(reference), key }));

/** The application has heard of every one of these alarms. */
export function allArrived(received: readonly Delivered[], references: readonly string[]): boolean {
  const known = new Set(received.map(({ reference }) => reference));
  return references.every((reference) => known.has(reference));
}

/** Throws: without a reference nothing can be compared. */
function named(reference: unknown): string {
  if (typeof reference === 'string') return reference;
  throw new Error(`an alarm without a reference: ${JSON.stringify(reference)}`);
}
