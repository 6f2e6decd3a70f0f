import { type Libc, linux, openLibc } from '../libc/index.ts';
import { encodeJournalEntry, type JournalFields } from './journal-entry.ts';

const SOCKET = '/run/systemd/journal/socket';
const AF_UNIX = 1;

/** Hands an entry to journald; false: it did not take it, now or at all, and another writer must. */
export type TellJournal = (fields: JournalFields) => boolean;

/**
 * The socket by which journald takes entries with fields of their own. It takes datagrams, which Node sends to no file of the
 * file system: hence the C library. Undefined where there is no journald or no way to it. Never waits: when its queue is full
 * the answer is false.
 */
export async function openJournalSocket(path = SOCKET): Promise<TellJournal | undefined> {
  const libc = await openLibc();
  const fd = libc?.socket(AF_UNIX, linux.DATAGRAM_SOCKET, 0) ?? -1;
  return libc === undefined || fd < 0 ? undefined : tellBy(libc, fd, addressOf(path));
}

const tellBy =
  (libc: Pick<Libc, 'sendto'>, fd: number, address: Uint8Array): TellJournal =>
  (fields) => {
    const entry = encodeJournalEntry(fields);
    const sent = libc.sendto(fd, entry, entry.length, linux.MSG_DONTWAIT, address, address.length);
    return Number(sent) === entry.length;
  };

/** struct sockaddr_un, unix(7). */
function addressOf(path: string): Uint8Array {
  const address = Buffer.alloc(2 + Buffer.byteLength(path) + 1);
  address.writeUInt16LE(AF_UNIX);
  address.write(path, 2);
  return address;
}
