/** Signs that mean something to a SIP parser: likelier to hurt than random ones. */
const SHARP = Buffer.from('\r\n\t :;,<>"\\@=%?&[]/*\0\xff0129', 'latin1');

/**
 * One message of the corpus with one to four changes: flip, drop, double, insert, cut, splice with another message,
 * blow up a piece.
 */
export function mutate(random: () => number, corpus: readonly Buffer[]): Buffer {
  const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(random() * from.length)] as T;
  let bytes = Buffer.from(pick(corpus));
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * bytes.length);
    const to = Math.min(bytes.length, at + 1 + Math.floor(random() * 40));
    const kind = Math.floor(random() * 7);
    if (kind === 0) bytes[at] = Math.floor(random() * 256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    else if (kind === 3)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([pick(SHARP)]), bytes.subarray(at)]);
    else if (kind === 4) bytes = bytes.subarray(0, at);
    else if (kind === 5) {
      const other = pick(corpus);
      bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(Math.floor(random() * other.length))]);
    } else {
      const blown = Buffer.concat(Array.from({ length: 200 }, () => bytes.subarray(at, to)));
      bytes = Buffer.concat([bytes.subarray(0, at), blown, bytes.subarray(at)]);
    }
    if (bytes.length === 0) return bytes;
  }
  return bytes;
}
