import { openJournal, openSqlite } from '#appliance/io/sqlite/index.ts';
import type { ArcRequest } from '#appliance/simulator/index.ts';
import type { Delivery, JournalLog } from './site-history.ts';

/** Opens a journal as the appliance does when it starts, with all its repairs, and closes it. Nobody else may have it open. */
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
    const referenceOf = new Map(
      events.all().map(({ session, body }) => [session, referenceIn(JSON.parse(body))]),
    );
    const rows = db.prepare<[], { id: string; session: string; state: string }>(
      `SELECT id, order_key session, state FROM outbox WHERE type = 'newAlarmbridgeEvent' ORDER BY seq`,
    );
    const callbacks = new Map<string, string[]>();
    const waiting: string[] = [];
    for (const { id, session, state } of rows.all()) {
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
export const deliveries = (received: readonly ArcRequest[]): Delivery[] =>
  received
    .filter(({ path }) => path === '/newAlarmbridgeEvent')
    .map(({ body, idempotencyKey }) => ({
      reference: referenceIn({ source: body.sourceAlarmEvent }),
      key: idempotencyKey,
    }));

/** The application has heard of every one of these alarms. */
export function allArrived(received: readonly ArcRequest[], references: readonly string[]): boolean {
  const known = new Set(deliveries(received).map(({ reference }) => reference));
  return references.every((reference) => known.has(reference));
}

/** SCAIP `ref`, as the parser of the appliance kept it. Throws: without it nothing can be compared. */
function referenceIn(event: { readonly source?: unknown }): string {
  const source = event.source as { readonly fields?: { readonly ref?: unknown } } | undefined;
  const reference = source?.fields?.ref;
  if (typeof reference !== 'string') {
    throw new Error(`an alarm event without a reference: ${JSON.stringify(event).slice(0, 300)}`);
  }
  return reference;
}
