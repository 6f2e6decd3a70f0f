import type { Failure } from '#shared/result.ts';

/** `storageFull`: space is missing. `storageUnavailable`: the database cannot be reached or written for another reason. */
export type StorageFault = Failure<'storageFull' | 'storageUnavailable'>;

/** The code of a transaction that went with another one's failure, on a connection that both shared. */
export const TRANSACTION_LOST = 'TRANSACTION_LOST';

/** The code of a commit whose file was removed under the program, and cannot be restored now. */
export const FILE_REMOVED = 'FILE_REMOVED';

/** A server in recovery is asked before the first write, as the write would fail. A start waits for it: it may be promoted. */
export class DatabaseInRecovery extends Error {
  readonly code = '25006';

  constructor() {
    super('it is in recovery and takes no write: it is a standby, or a server that still replays its log');
  }
}

/**
 * SQLite result codes, errno of the file system, and SQLSTATE of PostgreSQL (its manual, appendix A). 25006: a server in recovery, such as
 * a standby that is not promoted, takes no write. 57014: a statement took too long, 25P03: the program did between two of them. 40P01: it
 * ended this transaction of two that waited for each other, such as a change beside the migration of a newer replica.
 */
const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/;
const UNAVAILABLE =
  /^(SQLITE_(IOERR|BUSY|LOCKED|READONLY|CANTOPEN)\w*|TRANSACTION_LOST|TRANSACTION_LATE|FILE_REMOVED|EIO|EROFS|ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08\w{3}|25006|25P03|40P01|57014|57P\w{2}|53\w{3})$/;
/** The driver of PostgreSQL gives no code for a connection that has ended, ends or is silent under a query, nor for a pool without a free one. */
const ENDED =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|timeout exceeded when trying to connect|Query read timeout)/;
/** Ends of an open connection: by the network, or by the server. */
const LOST_CODE = /^(ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[12])$/;
const LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** Whether a connection to PostgreSQL ended under the query that threw this. */
export const isConnectionLoss = (error: Error): boolean =>
  LOST_WORDS.test(error.message) ||
  ('code' in error && typeof error.code === 'string' && LOST_CODE.test(error.code));

/**
 * The failure of the storage behind an exception, with what a person can do.
 *
 * @returns undefined for an exception that is a defect.
 */
export function storageFault(thrown: unknown): StorageFault | undefined {
  // Drivers and query builders wrap what they meet.
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    if (FULL.test(code))
      return {
        code: 'storageFull',
        reason:
          'The request is not executed: the disk of the control plane is full. Free disk space there, and send the request again.',
      };
    if (UNAVAILABLE.test(code) || ENDED.test(error.message))
      return {
        code: 'storageUnavailable',
        reason:
          'The request is not executed: the database of the control plane cannot be used now. Send the request again; if it fails again, check the database.',
      };
  }
  return undefined;
}
