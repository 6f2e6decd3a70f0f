/** The pages that a write-ahead log adds to its database. */
export interface WalPages {
  readonly pageBytes: number;
  /** The newest committed state of each page. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
  /**
   * Commits stand behind a frame that is damaged. SQLite ends at that frame and says nothing of them. The first of them may be
   * one that a power cut has torn; whatever comes behind it was synced before.
   */
  readonly commitsBehindDamage: number;
}

const HEAD = 32;
const FRAME_HEAD = 24;
const MAGIC = 0x377f0682;

/**
 * Reads a write-ahead log (https://sqlite.org/fileformat2.html#walformat). Undefined: there is none. A frame counts when its
 * checksum follows from the one that the frame before it states, so that a damaged frame costs itself and at most the next.
 * Where the head of the log is damaged, SQLite reads nothing of it: the first frame says then what the head would have said.
 */
export function readWal(bytes: Uint8Array, usualPageBytes: number): WalPages | undefined {
  if (bytes.length < HEAD) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWhole = [true, false].find((littleEndian) => isHead(view, littleEndian));
  if (isWhole !== undefined) {
    const before = [view.getUint32(24), view.getUint32(28)] as const;
    return readFrames(view, { pageBytes: view.getUint32(8), salts: 16, before, littleEndian: isWhole });
  }
  const pageBytes = usualPageBytes;
  if (bytes.length < HEAD + FRAME_HEAD + pageBytes) return undefined;
  const either = [true, false].map((littleEndian) =>
    readFrames(view, { pageBytes, salts: HEAD + 8, before: undefined, littleEndian }),
  );
  return either.find(({ pages }) => pages.size > 0) ?? either[0];
}

function isHead(view: DataView, littleEndian: boolean): boolean {
  if (view.getUint32(0) !== (littleEndian ? MAGIC : MAGIC + 1)) return false;
  const pageBytes = view.getUint32(8);
  const [a, b] = checksum(view, 0, 24, [0, 0], littleEndian);
  const isPower = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
  return isPower && a === view.getUint32(24) && b === view.getUint32(28);
}

interface WalHead {
  readonly pageBytes: number;
  /** Where the two salts stand that mark frames of this round. */
  readonly salts: number;
  /** Undefined: the first frame cannot be checked. */
  readonly before: readonly [number, number] | undefined;
  readonly littleEndian: boolean;
}

function readFrames(view: DataView, head: WalHead): WalPages {
  const { pageBytes, littleEndian } = head;
  const salts = [view.getUint32(head.salts), view.getUint32(head.salts + 4)];
  const pages = new Map<number, Uint8Array>();
  let pending = new Map<number, Uint8Array>();
  let before = head.before;
  let isDamaged = false;
  let commitsBehindDamage = 0;
  for (let at = HEAD; at + FRAME_HEAD + pageBytes <= view.byteLength; at += FRAME_HEAD + pageBytes) {
    const stated = [view.getUint32(at + 16), view.getUint32(at + 20)] as const;
    const data = at + FRAME_HEAD;
    // Frames of an earlier round of the log stand behind the newest: their salts are others.
    const isOurs = view.getUint32(at + 8) === salts[0] && view.getUint32(at + 12) === salts[1];
    const sum =
      before && checksum(view, data, pageBytes, checksum(view, at, 8, before, littleEndian), littleEndian);
    before = stated;
    if (!isOurs || sum === undefined || sum[0] !== stated[0] || sum[1] !== stated[1]) {
      isDamaged = true;
      continue;
    }
    pending.set(view.getUint32(at), new Uint8Array(view.buffer, view.byteOffset + data, pageBytes));
    if (view.getUint32(at + 4) === 0) continue;
    if (isDamaged) commitsBehindDamage++;
    for (const [number, page] of pending) pages.set(number, page);
    pending = new Map();
  }
  return { pageBytes, pages, commitsBehindDamage };
}

function checksum(
  view: DataView,
  at: number,
  length: number,
  [first, second]: readonly [number, number],
  littleEndian: boolean,
): readonly [number, number] {
  let [a, b] = [first, second];
  for (let offset = at; offset < at + length; offset += 8) {
    a = (a + view.getUint32(offset, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(offset + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}
