import * as fs from 'node:fs';
import type Database from 'better-sqlite3';
import type { Connection, Lease } from '#cloud/store/index.ts';
import { FilePlace } from '#shared/sqlite-file/index.ts';
import { every } from '#shared/timer/index.ts';
import { openFile, openReader } from './open-file.ts';
import { type RestoredFile, restoreRemoved } from './removed-file.ts';
import { TRANSACTION_LOST } from './storage-fault.ts';
import { createTurns } from './turn.ts';

/** A database without changes notices within this that its file was removed. */
const LOOK_MS = 1_000;

/** Units of work that may share a commit, and with it the wait for the disk; and how long the first of them waits. */
const MOST_IN_GROUP = 64;
const LONGEST_GROUP_MS = 20;

/** Units that have ended and wait for the commit that makes them last. */
interface Group {
  /** The start by a monotonic clock. */
  readonly sinceMs: number;
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
}

/**
 * One connection writes, one reads; `file` is created when absent, its folder is not.
 *
 * Group commit: units of work run one after the other, each inside a savepoint of one transaction. Requests that have arrived
 * together are read from their sockets in one round of the event loop: at the end of the round one synced commit makes all of
 * them durable; no caller is answered before it.
 *
 *     turn ── SAVEPOINT ── work ── RELEASE ── the next one's turn, same transaction
 *                            │ throws               └ end of the round, or 64, or 20 ms: COMMIT ── all are answered
 *                            └ ROLLBACK TO: the others stay
 */
export function openSqlite(
  file: string,
  onRestored: (restored: RestoredFile) => void = () => undefined,
): Connection {
  const turn = createTurns();
  let writer = openFile(file);
  let reader = openReader(file);
  const place = new FilePlace(file, fs);
  hold();
  let held = false;
  let group: Group | undefined;

  /** Reads of one round share one look at the database: beginning to look costs more than to find a row by its key. */
  let looking = false;
  function endLook(): void {
    if (looking && reader.client.open) reader.client.prepare('COMMIT').run();
    looking = false;
  }
  function look(): void {
    if (looking) return;
    reader.client.prepare('BEGIN').run();
    looking = true;
    setImmediate(endLook);
  }

  /** The log and its index exist from the first write on. */
  function hold(): void {
    writer.client.exec('BEGIN IMMEDIATE; ROLLBACK');
    place.hold();
  }

  /**
   * Restores a file that was removed or replaced under the program, between two transactions. Throws where it cannot: what is committed
   * then is lost with the end of this process, and no caller may count on it.
   */
  function keep(): void {
    if (!writer.client.open || !place.hasLeft()) return;
    endLook();
    const closed = (): void => {
      reader.client.close();
      writer.client.close();
    };
    const restored = restoreRemoved(place, writer.client, closed, Date.now());
    writer = openFile(file);
    reader = openReader(file);
    hold();
    onRestored(restored);
  }
  const watch = (): void => {
    if (held || group !== undefined) return;
    try {
      keep();
    } catch {
      // The next commit meets the same, and its callers get the reason.
    }
  };
  const stopWatching = every(LOOK_MS, watch, { isBackground: true });

  /** Ends the group by `how`; when that throws, or the connection has lost the transaction, all of it is lost. */
  function endGroup(how: () => void): void {
    const ended = group;
    group = undefined;
    if (ended === undefined) return;
    try {
      if (!writer.client.open || !writer.client.inTransaction)
        throw Object.assign(new Error('the transaction was lost before its commit'), {
          code: TRANSACTION_LOST,
        });
      how();
      keep();
      // A caller that hears of its commit sees it.
      endLook();
      for (const unit of ended.waiting) unit.resolve();
    } catch (error) {
      if (writer.client.open && writer.client.inTransaction) writer.client.exec('ROLLBACK');
      for (const unit of ended.waiting) unit.reject(error);
    }
  }
  const commit = (): void => endGroup(() => writer.client.prepare('COMMIT').run());
  /** A unit that is under way over several rounds commits when it ends. */
  const commitUnlessHeld = (): void => {
    if (!held) commit();
  };

  async function lease(): Promise<Lease> {
    const endTurn = await turn();
    held = true;
    if (!writer.client.open) writer = openFile(file);
    const { client, db } = writer;
    let inUnit = false;
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      held = false;
      if (isFull(group)) commit();
      else if (group !== undefined) setImmediate(commitUnlessHeld);
      endTurn();
    };
    const run = (sqlText: string): void => void client.prepare(sqlText).run();

    function begin(): void {
      if (group === undefined) run('BEGIN IMMEDIATE');
      group ??= { sinceMs: performance.now(), waiting: [] };
      run('SAVEPOINT unit');
      inUnit = true;
    }

    /** Resolves with the commit of the group, which the turns of others may come before. */
    async function finish(): Promise<void> {
      run('RELEASE unit');
      inUnit = false;
      const lasting = new Promise<void>((resolve, reject) => group?.waiting.push({ resolve, reject }));
      end();
      await lasting;
    }

    function undo(): void {
      inUnit = false;
      // An error of the disk has ended the whole transaction already.
      if (client.inTransaction) client.exec('ROLLBACK TO unit; RELEASE unit');
      else commit();
    }

    return {
      db,
      rows: async (text, values) => rowsOn(client, text, values),
      exec: async (sqlText) => {
        // Its commit failed: there is nothing left to roll back, and the connection belongs to another caller.
        if (ended) return;
        if (sqlText === 'BEGIN IMMEDIATE') begin();
        else if (inUnit && sqlText === 'COMMIT') await finish();
        else if (inUnit && sqlText === 'ROLLBACK') undo();
        else {
          if (!inUnit) commit();
          client.exec(sqlText);
        }
      },
      release: async (broken) => {
        if (broken) {
          if (inUnit) undo();
          commit();
          // Statements of abandoned work fail from now on, instead of joining the next transaction.
          client.close();
        }
        end();
      },
    };
  }

  return {
    dialect: 'sqlite',
    get reader() {
      return reader.db;
    },
    rows: async (text, values) => {
      look();
      return rowsOn(reader.client, text, values);
    },
    lease,
    close: async () => {
      const endTurn = await turn();
      commit();
      stopWatching();
      try {
        keep();
      } finally {
        endLook();
        reader.client.close();
        writer.client.close();
        endTurn();
      }
    },
  };
}

const rowsOn = (client: Database.Database, text: string, values: readonly unknown[]): unknown[][] =>
  client
    .prepare<unknown[], unknown[]>(text)
    .raw()
    .all(...values);

const isFull = (group: Group | undefined): boolean =>
  group !== undefined &&
  (group.waiting.length >= MOST_IN_GROUP || performance.now() - group.sinceMs > LONGEST_GROUP_MS);
