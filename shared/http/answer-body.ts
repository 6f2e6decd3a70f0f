import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** Throws `ERR_BUFFER_TOO_LARGE` beyond `maxOutputLength` bytes, and another error for bytes that are not its own. */
export type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** The functions of these names of `node:zlib`, which only an adapter may import. */
export interface Unpackers {
  readonly unzipSync: Unpack;
  readonly inflateRawSync: Unpack;
  readonly brotliDecompressSync: Unpack;
  readonly zstdDecompressSync: Unpack;
}

const UNPACK: ReadonlyMap<string, (of: Unpackers) => Unpack> = new Map([
  ['gzip', (of: Unpackers) => of.unzipSync],
  ['x-gzip', (of: Unpackers) => of.unzipSync],
  ['deflate', deflated],
  ['br', (of: Unpackers) => of.brotliDecompressSync],
  ['zstd', (of: Unpackers) => of.zstdDecompressSync],
]);

const UTF8 = new TextDecoder();

/** Chosen: an answer in more layers than this was made to cost time. */
const MOST_LAYERS = 3;

/**
 * The text of an answer behind its `Content-Encoding` (RFC 9110 8.4). The client asks for none, but some proxies compress
 * without being asked. `limit` bounds the bytes of every layer; an answer that is plain although its header says otherwise is
 * taken as it is.
 */
export function answerText(
  body: Uint8Array,
  encoding: string | undefined,
  limit: number,
  unpackers: Unpackers,
): Result<string, Failure<'tooLarge' | 'malformed'>> {
  const layers = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (layers.length > MOST_LAYERS)
    return fail('malformed', `the answer has ${layers.length} layers of Content-Encoding`);
  let bytes = body;
  for (const name of layers.toReversed()) {
    const unpack = UNPACK.get(name);
    if (unpack === undefined) return fail('malformed', `Content-Encoding ${name} is not understood`);
    try {
      bytes = unpack(unpackers)(bytes, { maxOutputLength: limit });
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
      if (code === 'ERR_BUFFER_TOO_LARGE')
        return fail('tooLarge', `the answer is larger than ${limit} bytes behind ${name}`);
      if (isJson(bytes)) break;
      return fail('malformed', `the answer is no ${name}`);
    }
  }
  return ok(UTF8.decode(bytes));
}

/** Interop: `deflate` is zlib by the standard, raw at some servers. */
function deflated({ unzipSync, inflateRawSync }: Unpackers): Unpack {
  return (bytes, options) => {
    try {
      return unzipSync(bytes, options);
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE') throw thrown;
      return inflateRawSync(bytes, options);
    }
  };
}

const isJson = (bytes: Uint8Array): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b;
