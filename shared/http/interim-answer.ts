/** A connection as far as its bytes are looked at: `read` gives what has come, `write` sends the next request. */
export interface AnsweringSocket {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of a socket are its own
  read: (...given: any[]) => any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  write: (...given: any[]) => any;
}

/** Chosen: no interim answer has a longer head; a longer one is no interim answer of use. */
const LONGEST_HEAD = 16_384;
const START = 'HTTP/1.x 100';

/**
 * Takes `100 Continue` out of what a connection brings, before its HTTP client sees it. RFC 9110 15.2 lets a server send interim
 * answers although none was asked for, and a client must skip them; the client of this platform ends its connection instead. The
 * other interim answers it skips by itself.
 *
 * The client sends no request before the answer to the last one is there, so that an answer begins behind each write.
 */
export function withoutContinue<Socket extends AnsweringSocket>(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isBegun = false;
  let held: Uint8Array | undefined;
  // The HTTP client takes a socket and no stream around it: the two methods stand before those of its class.
  return Object.assign(socket, {
    write: (...given: Parameters<Socket['write']>) => {
      if (isBegun) held = undefined;
      isBegun = false;
      return write(...given);
    },
    read: (...given: Parameters<Socket['read']>) => {
      const come: Uint8Array | null = read(...given);
      if (isBegun || come === null) return come;
      const rest = skipped(held === undefined ? come : joined(held, come));
      isBegun = rest.isWhole;
      held = isBegun ? undefined : rest.bytes;
      return isBegun ? rest.bytes : null;
    },
  });
}

/** The bytes behind every whole `100`; `isWhole`: they are no interim answer. */
function skipped(given: Uint8Array): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  let bytes = given;
  while (bytes.length > 0 && isContinue(bytes)) {
    const end = endOfHead(bytes);
    if (end === undefined) return { bytes, isWhole: bytes.length > LONGEST_HEAD };
    bytes = bytes.subarray(end);
  }
  return { bytes, isWhole: bytes.length > 0 };
}

/** Whether the bytes begin `HTTP/1.1 100`, as far as they go. */
function isContinue(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, START.length);
  for (let at = 0; at < length; at++)
    if (START[at] !== 'x' && bytes[at] !== START.charCodeAt(at)) return false;
  return true;
}

/** Position behind the empty line. */
function endOfHead(bytes: Uint8Array): number | undefined {
  const most = Math.min(bytes.length, LONGEST_HEAD);
  for (let at = bytes.indexOf(LF); at >= 0 && at < most; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return undefined;
}

const LF = 0x0a;
const CR = 0x0d;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
