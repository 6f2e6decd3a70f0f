import pg from 'pg';
import { farewell, KEEPALIVE } from './postgres.ts';

/** A connection by which replicas hint each other that there is news; a hint that is lost costs a second. */
export interface ListenLink {
  /** Tells the other replicas, soon; hints of the same kind within `GATHER_MS` are one. */
  readonly hint: (kind: string) => void;
  readonly close: () => Promise<void>;
}

const CHANNEL = 'carillon';
const GATHER_MS = 20;
const RECONNECT_MS = 1_000;
/** It hears nothing for hours where all is well: a question now and then shows that the other side is still there. */
const QUESTION_MS = 5_000;
const SILENT_MS = 3_000;

/** Opens LISTEN on PostgreSQL; a connection that ends, or is half-open, is opened again, again and again. */
export function openListenLink(url: string, onHint: (kind: string) => void): ListenLink {
  let client: pg.Client | undefined;
  let isClosing = false;
  let retry: NodeJS.Timeout | undefined;
  const waiting = new Map<string, NodeJS.Timeout>();

  function open(): void {
    const current = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: SILENT_MS,
      ...KEEPALIVE,
    });
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(asking);
      if (client === current) client = undefined;
      current.connection.stream.destroy();
      if (!isClosing) retry = setTimeout(open, RECONNECT_MS);
    };
    const asking = setInterval(() => {
      if (client === current) current.query('SELECT 1').catch(over);
    }, QUESTION_MS);
    current.on('error', over);
    current.on('end', over);
    current.on('notification', ({ payload }) => onHint(payload ?? ''));
    current
      .connect()
      .then(() => current.query(`LISTEN ${CHANNEL}`))
      .then(() => {
        if (isClosing) over();
        else client = current;
      })
      .catch(over);
  }

  open();
  return {
    hint: (kind) => {
      if (waiting.has(kind) || isClosing) return;
      const send = (): void => {
        waiting.delete(kind);
        client?.query('SELECT pg_notify($1, $2)', [CHANNEL, kind]).catch(() => undefined);
      };
      waiting.set(kind, setTimeout(send, GATHER_MS));
    },
    close: async () => {
      isClosing = true;
      clearTimeout(retry);
      for (const timer of waiting.values()) clearTimeout(timer);
      const current = client;
      // Shards that are free are announced at the very end: the others need not wait for their next look.
      for (const kind of waiting.keys())
        await current?.query('SELECT pg_notify($1, $2)', [CHANNEL, kind]).catch(() => undefined);
      if (current !== undefined) await farewell(current);
    },
  };
}
