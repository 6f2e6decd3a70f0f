import { and, asc, count, eq, gt, lte } from 'drizzle-orm';
import type { UploadState } from '../schema/transient-tables.ts';
import type { Store, Tx } from '../sql/store.ts';

/** Bytes of one row. A larger one holds up the others of a writer. */
const PIECE_BYTES = 256 * 1_024;
/** Pieces of a stream that wait for its reader. */
const MOST_WAITING = 8;
/** A stream on which nothing moves for so long has lost its other end. */
const STALL_MS = 15_000;
const LOOK_MS = 50;

/** A document that a host is asked for. `id`: the secret part of its address. */
interface Upload {
  readonly id: string;
  readonly tenant: string;
  readonly uid: string;
}

/** Documents that hosts bring to whichever replica they meet. */
export interface Uploads {
  /** An address for the document of this host: `dueMs` until it has to come, `keptMs` until it is forgotten. */
  readonly open: (upload: Upload, dueMs: number, keptMs: number) => Promise<void>;
  /** Whether the address was open for this host; it takes one document. */
  readonly put: (id: string, uid: string, bytes: Uint8Array) => Promise<boolean>;
  /** Undefined: it is not there, or not all of it. */
  readonly read: (
    id: string,
    of?: Pick<Upload, 'tenant' | 'uid'>,
  ) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly drop: (id: string) => Promise<void>;
  /** As `put`, for bytes that are read at the other replica while they come: whether the address was open. */
  readonly pour: (id: string, uid: string, bytes: ReadableStream<Uint8Array>) => Promise<boolean>;
  /** The bytes of `pour`, which go as they are read; undefined: none have come yet. */
  readonly flow: (id: string) => Promise<ReadableStream<Uint8Array> | undefined>;
}

/**
 * Documents by rows.
 *
 * Chosen: a document that reaches the replica that asked stays in its memory; one that reaches another comes by the database, which is the
 * only thing that all replicas share, and goes when it was read.
 */
export function createUploads(
  store: Store,
  nowMs: () => number,
  pause: (ms: number) => Promise<void>,
): Uploads {
  const { upload: t, uploadPiece: piece } = store.tables;
  const stateOf = async (id: string): Promise<UploadState | undefined> =>
    (await store.db.select({ state: t.state }).from(t).where(eq(t.id, id)))[0]?.state;
  const claim = (id: string, uid: string): Promise<boolean> =>
    store.withTx(async ({ db }) => {
      const claimed = await db
        .update(t)
        .set({ state: 'arriving' })
        .where(and(eq(t.id, id), eq(t.uid, uid), eq(t.state, 'open'), gt(t.dueAt, nowMs())))
        .returning({ id: t.id });
      return claimed.length > 0;
    });
  const complete = (id: string) =>
    store.withTx(({ db }) => db.update(t).set({ state: 'there' }).where(eq(t.id, id)));
  const drop = (id: string): Promise<void> =>
    store.withTx(async ({ db }) => {
      await db.delete(t).where(eq(t.id, id));
    });
  /** Pieces from the number `n` on; gives the number of the next one. */
  const insert = async (id: string, n: number, bytes: Uint8Array): Promise<number> => {
    let next = n;
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
      const text = Buffer.from(bytes.subarray(at, at + PIECE_BYTES)).toString('base64');
      const row = { upload: id, n: next++, bytes: text };
      await store.withTx(({ db }) => db.insert(piece).values(row));
    }
    return next;
  };
  const takePiece = async (id: string, n: number): Promise<Uint8Array | undefined> => {
    const [row] = await store.withTx(({ db }) =>
      db
        .delete(piece)
        .where(and(eq(piece.upload, id), eq(piece.n, n)))
        .returning({ bytes: piece.bytes }),
    );
    return row && new Uint8Array(Buffer.from(row.bytes, 'base64'));
  };
  /** Looks again and again; throws when it does not hold in time. */
  const waited = async (holds: () => Promise<boolean>): Promise<void> => {
    for (let ms = 0; !(await holds()); ms += LOOK_MS) {
      if (ms > STALL_MS) throw new Error('the other end of an upload does not go on');
      await pause(LOOK_MS);
    }
  };
  const hasRoom = async (id: string): Promise<boolean> => {
    const [row] = await store.db.select({ n: count() }).from(piece).where(eq(piece.upload, id));
    return (row?.n ?? 0) < MOST_WAITING;
  };
  async function pourAll(id: string, bytes: ReadableStream<Uint8Array>): Promise<void> {
    let n = 0;
    for await (const each of bytes) {
      await waited(() => hasRoom(id));
      n = await insert(id, n, each);
    }
    await complete(id);
  }
  return {
    drop,
    open: (upload, dueMs, keptMs) =>
      store.withTx(async (tx) => {
        const at = nowMs();
        await deleteOldUploads(tx, at);
        const row = { ...upload, state: 'open', dueAt: at + dueMs, expiresAt: at + keptMs } as const;
        await tx.db.insert(t).values(row);
      }),
    put: async (id, uid, bytes) => {
      if (!(await claim(id, uid))) return false;
      await insert(id, 0, bytes);
      await complete(id);
      return true;
    },
    read: async (id, of) => {
      const [row] = await store.db.select().from(t).where(eq(t.id, id));
      const isOther = of !== undefined && (row?.tenant !== of.tenant || row.uid !== of.uid);
      if (row?.state !== 'there' || row.expiresAt <= nowMs() || isOther) return undefined;
      const pieces = await store.db
        .select({ bytes: piece.bytes })
        .from(piece)
        .where(eq(piece.upload, id))
        .orderBy(asc(piece.n));
      return new Uint8Array(Buffer.concat(pieces.map(({ bytes }) => Buffer.from(bytes, 'base64'))));
    },
    pour: async (id, uid, bytes) => {
      if (!(await claim(id, uid))) return false;
      // The reader finds no row, and its stream ends with an error.
      pourAll(id, bytes).catch(() => drop(id).catch(() => undefined));
      return true;
    },
    flow: async (id) => {
      const state = await stateOf(id);
      if (state === undefined || state === 'open') return undefined;
      let n = 0;
      return new ReadableStream({
        pull: async (out) => {
          let bytes: Uint8Array | undefined;
          let isOver = false;
          await waited(async () => {
            // Asked first: a piece that came before the end is there when the end is.
            const now = await stateOf(id);
            if (now === undefined) throw new Error('the other end of an upload has gone');
            bytes = await takePiece(id, n);
            isOver = bytes === undefined && now === 'there';
            return isOver || bytes !== undefined;
          });
          if (bytes !== undefined) out.enqueue(bytes);
          n += 1;
          if (!isOver) return;
          await drop(id);
          out.close();
        },
        cancel: () => drop(id),
      });
    },
  };
}

/** Removes documents whose time is over. */
export async function deleteOldUploads(tx: Tx, nowMs: number): Promise<void> {
  const t = tx.tables.upload;
  await tx.db.delete(t).where(lte(t.expiresAt, nowMs));
}
