import type { Scope } from '../schema/core-tables.ts';
import type { AnnouncementBody } from '../schema/replica-tables.ts';
import type { Tables } from '../schema/tables.ts';
import { tablesOf } from '../schema/tables.ts';
import { type BodySeal, bodySeal } from './body-seal.ts';
import type { Announced, Handle, Rows, StorePort } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { dialectOf } from './dialect.ts';
import { createRehearsal } from './rehearsal.ts';
import { watched } from './watched.ts';

/** A transaction that takes longer is rolled back and its connection discarded. */
const TRANSACTION_LIMIT_MS = 5_000;

/** Tables whose rows say nothing about who may come in. Every other one, also a future one, does. */
const WITHOUT_ACCESS: ReadonlySet<string> = new Set([
  'alarm_bridge',
  'announcement',
  'audit',
  'audit_anchor',
  'audit_head',
  'call_list_test',
  'config_change',
  'config_key',
  'config_key_wrap',
  'deployment_alarm',
  'device',
  'device_heartbeat',
  'feed_page',
  'host',
  'host_connectivity',
  'host_self_test',
  'host_status',
  'idempotency',
  'lane_cursor',
  'listening',
  'listening_ask',
  'login_attempt',
  'maintenance_window',
  'personal_data_job',
  'personal_data_page',
  'personal_data_part',
  'record_cursor',
  'record_hour',
  'relay',
  'replica',
  'revoked_certificate',
  'scope_revision',
  'session_record',
  'shard_lease',
  'silence',
  'silence_verdict',
  'site_alarm',
  'site_event',
  'site_operation',
  'upload',
  'upload_piece',
  'usage_hour',
  'waiting_alarm',
  'wrong_claim',
]);

/** The context of a query: the first argument of every query function. Store and transaction are readers. */
export interface Reader {
  readonly db: Handle;
  readonly tables: Tables;
  readonly dialect: Dialect;
  readonly seal: BodySeal;
}

/** A revision that has been committed. */
export interface Revision {
  readonly scope: Scope;
  readonly owner: string;
  readonly rev: number;
}

/**
 * A row that was written: which kind, and its key (`host`: uid, also for its status; `waitingAlarm`, `sessionRecord`: tenant and
 * id; `personalData`: tenant whose data were erased; `listening`: id).
 */
export interface Notice {
  readonly kind:
    | 'host'
    | 'alarm'
    | 'operation'
    | 'waitingAlarm'
    | 'sessionRecord'
    | 'personalData'
    | 'listening';
  readonly id: string;
}

/** An open transaction: first argument of every function that writes. */
export interface Tx extends Reader {
  readonly sha256: (text: string) => string;
  readonly salt: () => string;
  /** Revisions this transaction has taken, by `scope owner`: one per scope and owner, however many rows change. */
  readonly revisions: Map<string, Revision>;
  /** Rows of supervision this transaction has written, by `kind id`. */
  readonly notices: Map<string, Notice>;
}

/** `remote`: another replica made the commit. */
export type ChangeListener = (revision: Revision, remote: boolean) => void;
export type NoticeListener = (notices: Iterable<Notice>, remote: boolean) => void;

export interface Store extends Reader {
  readonly rows: Rows;
  /**
   * Runs `work` in one transaction. An error at any `await` leaves no row. No network I/O inside;
   * nesting is an error; after 5 s the transaction is rolled back and `work` finds its connection closed.
   */
  readonly withTx: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Runs `work` and leaves nothing of it: every transaction in it is part of one that is rolled back at its end, its reads
   * see what it wrote, and no listener hears of it.
   */
  readonly rehearse: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Hears every revision after its commit; two of one scope may come in either order, so the greater counts. A listener
   * must not throw: the commit has happened. Returns the function that ends it.
   */
  readonly onChange: (listener: ChangeListener) => () => void;
  /** Hears after each commit which rows of supervision it wrote; the same rules as for `onChange`. */
  readonly onNotice: (listener: NoticeListener) => () => void;
  /**
   * Grows with every commit that may have changed who may come in: what was found out about a token holds while the
   * number stays. NaN in a rehearsal, and while other replicas are not heard: what is found out then holds for no other request.
   */
  readonly accessEpoch: () => number;
  /** Another replica has committed this: the listeners hear of it as of a commit of our own. */
  readonly hear: (what: AnnouncementBody) => void;
  readonly close: () => Promise<void>;
}

export function createStore(port: StorePort): Store {
  const { connection, nesting, sha256, salt } = port;
  const seal = bodySeal(port.vault);
  const dialect = dialectOf[connection.dialect];
  const tables = tablesOf[connection.dialect];
  const listeners = new Set<ChangeListener>();
  const noticeListeners = new Set<NoticeListener>();
  let accessEpoch = 0;

  async function attempt<T>(
    work: (tx: Tx) => Promise<T>,
  ): Promise<Pick<Tx, 'revisions' | 'notices'> & { value: T }> {
    const ended = port.timed?.();
    const lease = await connection.lease();
    let broken = false;
    try {
      await lease.exec(dialect.begin);
      const { db, written } = watched(lease.db);
      written.clear();
      const tx = txOn(db);
      try {
        const value = await withinLimit(port.startTimer, work(tx));
        const changesAccess = [...written].some((table) => !WITHOUT_ACCESS.has(table));
        const isAnnounced = changesAccess || tx.revisions.size > 0 || tx.notices.size > 0;
        if (isAnnounced) await port.announcements?.write(tx, announcedBy(tx, changesAccess));
        await lease.exec('COMMIT');
        if (isAnnounced) port.announcements?.written();
        if (changesAccess) accessEpoch += 1;
        ended?.(tx.revisions.size > 0 ? 'change' : tx.notices.size > 0 ? 'status' : 'other');
        return { value, revisions: tx.revisions, notices: tx.notices };
      } catch (error) {
        ended?.('rollback');
        broken = error instanceof TransactionTimeout;
        // A connection that cannot roll back is of no use to the next one either.
        if (!broken) await lease.exec('ROLLBACK').catch(() => (broken = true));
        throw error;
      }
    } finally {
      await lease.release(broken);
    }
  }

  const rehearsed = () => port.rehearsals.current()?.reading();
  const txOn = (db: Handle): Tx => ({
    db,
    tables,
    dialect,
    seal,
    sha256,
    salt,
    revisions: new Map(),
    notices: new Map(),
  });

  function tell(revisions: readonly Revision[], notices: readonly Notice[], remote: boolean): void {
    for (const revision of revisions) for (const listener of listeners) listener(revision, remote);
    if (notices.length > 0) for (const listener of noticeListeners) listener(notices, remote);
  }

  return {
    get db() {
      return rehearsed()?.db ?? connection.reader;
    },
    rows: (text, values) => (rehearsed()?.rows ?? connection.rows)(text, values),
    tables,
    dialect,
    seal,
    withTx: async (work) => {
      if (nesting.inside()) throw new Error('withTx inside withTx: pass the open transaction on instead');
      const rehearsal = port.rehearsals.current();
      if (rehearsal !== undefined) return await nesting.enter(() => rehearsal.write((db) => work(txOn(db))));
      const { value, revisions, notices } = await nesting.enter(() => attempt(work));
      tell([...revisions.values()], [...notices.values()], false);
      return value;
    },
    rehearse: async (work) => {
      const rehearsal = createRehearsal(connection, port.startTimer);
      try {
        return await port.rehearsals.within(rehearsal, work);
      } finally {
        await rehearsal.end();
      }
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onNotice: (listener) => {
      noticeListeners.add(listener);
      return () => void noticeListeners.delete(listener);
    },
    accessEpoch: () =>
      port.rehearsals.current() === undefined && port.announcements?.fresh() !== false
        ? accessEpoch
        : Number.NaN,
    hear: ({ revisions = [], notices = [], access }) => {
      if (access === true) accessEpoch += 1;
      tell(
        revisions.map(([scope, owner, rev]) => ({ scope: scope as Scope, owner, rev })),
        notices.map(([kind, id]) => ({ kind: kind as Notice['kind'], id })),
        true,
      );
    },
    close: () => connection.close(),
  };
}

/** The store with some functions replaced; a spread would keep the reader of one moment. */
export const storeWith = (store: Store, over: Partial<Store>): Store =>
  Object.defineProperties({} as Store, {
    ...Object.getOwnPropertyDescriptors(store),
    ...Object.getOwnPropertyDescriptors(over),
  });

/** For functions that write a row of supervision. */
export const note = ({ notices }: Tx, kind: Notice['kind'], id: string): unknown =>
  notices.set(`${kind} ${id}`, { kind, id });

const announcedBy = ({ revisions, notices }: Tx, access: boolean): Announced => ({
  revisions: [...revisions.values()].map(({ scope, owner, rev }) => [scope, owner, rev] as const),
  notices: [...notices.values()].map(({ kind, id }) => [kind, id] as const),
  access,
});

class TransactionTimeout extends Error {
  readonly code = 'TRANSACTION_LATE';
}

function withinLimit<T>(startTimer: StorePort['startTimer'], work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = startTimer(TRANSACTION_LIMIT_MS, () =>
      reject(
        new TransactionTimeout(`transaction not finished after ${TRANSACTION_LIMIT_MS} ms: rolled back`),
      ),
    );
    work.then(resolve, reject).finally(stop);
  });
}
