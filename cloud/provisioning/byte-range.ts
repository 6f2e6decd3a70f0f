import { ok } from '#shared/result.ts';

/** Part of a file: numbers of its first and its last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part of a file of `size` bytes that the header `Range` asks for (RFC 9110, 14.2). Undefined: the whole file.
 *
 * Chosen: several ranges, another unit and a header that cannot be read are answered with the whole file, as the standard
 * allows; players ask for one range at a time.
 */
export function byteRangeOf(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** The part of a file that a reader asks for, as headers of HTTP. */
export interface RangeRequest {
  readonly range?: string | undefined;
  /** ETag of the file whose part is meant: the whole file is sent when it is another one (RFC 9110, 13.1.5). */
  readonly ifRange?: string | undefined;
}

/** The range of a file of `size` bytes; undefined: all of it. Fails with `rangeInvalid` and the size. */
export function partOf({ range, ifRange }: RangeRequest, size: number, sha256?: string) {
  const isOther = ifRange !== undefined && (sha256 === undefined || ifRange !== `"${sha256}"`);
  const found = isOther ? undefined : byteRangeOf(range, size);
  if (found !== 'unsatisfiable') return ok(found);
  const reason = `The part is not sent: the file has ${size} bytes, and the range begins behind them. Ask for a range within them.`;
  return { ok: false, error: { code: 'rangeInvalid', reason, size } } as const;
}

/** The bytes of the range; those before it are read and dropped, and after its last one the source is ended. */
export function cutBytes(
  bytes: ReadableStream<Uint8Array>,
  { first, last }: ByteRange,
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  let at = 0;
  return new ReadableStream(
    {
      async pull(out) {
        for (;;) {
          const { value } = await reader.read();
          if (value === undefined) return out.close();
          const piece = value.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
          at += value.length;
          if (piece.length > 0) out.enqueue(piece);
          if (at > last) {
            out.close();
            return await reader.cancel();
          }
          if (piece.length > 0) return undefined;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
