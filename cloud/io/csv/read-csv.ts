import { CsvError, parse } from 'csv-parse';
import type { CsvRecords } from '#cloud/provisioning/index.ts';
import { fail, ok } from '#shared/result.ts';
import { MOST_CELLS, RowWidth } from './row-width.ts';

const RECORD_BYTES = 65_536;
const FIRST_LINE = /^[^\r\n]*/;

/** Records in order, the header first; a failure `malformed` ends them where the text cannot be read any further. */
export async function* readCsv(chunks: readonly Uint8Array[]): CsvRecords {
  const [first = new Uint8Array()] = chunks;
  const head = FIRST_LINE.exec(Buffer.from(first.subarray(0, RECORD_BYTES)).toString('utf8'))?.[0] ?? '';
  // Records are taken where they are found: those in front of a fault would go down with the stream that meets it.
  let found: string[][] = [];
  const delimiter = head.includes(';') && !head.includes(',') ? ';' : ',';
  const width = new RowWidth(delimiter);
  const parser = parse({
    bom: true,
    delimiter,
    skip_empty_lines: true,
    // Rows of another width are a mistake in one row, not in the text.
    relax_column_count: true,
    max_record_size: RECORD_BYTES,
    on_record: (record) => {
      found.push(record);
      return null;
    },
  });
  const fault = new Promise<Error>((resolve) => void parser.once('error', resolve));
  const taken = (feed: (done: () => void) => unknown): Promise<Error | undefined> =>
    Promise.race([new Promise<undefined>((resolve) => void feed(() => resolve(undefined))), fault]);
  const drained = (): string[][] => {
    const records = found;
    found = [];
    return records;
  };
  try {
    for (const piece of pieces(chunks)) {
      const wideAt = width.tooWideAt(piece);
      // The parser keeps the last row back until more comes: where a row is not read any more, nothing does.
      const isLast = wideAt !== undefined && wideAt > 0;
      const wrong = await taken((done) =>
        isLast
          ? parser.resume().once('end', done).end(piece.subarray(0, wideAt))
          : parser.write(piece.subarray(0, wideAt), done),
      );
      for (const record of drained()) yield ok(record);
      if (wrong !== undefined) return yield malformed(wrong, parser.info.lines);
      if (wideAt !== undefined)
        return yield fail(
          'malformed',
          `line ${parser.info.lines}: the row has more than ${MOST_CELLS} cells`,
        );
    }
    const wrong = await taken((done) => parser.resume().once('end', done).end());
    for (const record of drained()) yield ok(record);
    if (wrong !== undefined) yield malformed(wrong, parser.info.lines);
  } finally {
    parser.destroy();
  }
}

/** Small enough that parsing one does not hold up other callers. */
function* pieces(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += RECORD_BYTES) yield chunk.subarray(at, at + RECORD_BYTES);
}

function malformed(cause: Error, line: number) {
  if (!(cause instanceof CsvError)) throw cause;
  return fail('malformed', `line ${line}: ${wording(cause)}`);
}

/** The library's own sentences name its options and repeat the text; these say what is wrong. */
function wording({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened and never closed';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return 'behind a closing quote there must be a delimiter';
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands within a field that does not begin with one; double it and quote the field';
    case 'CSV_MAX_RECORD_SIZE':
      return 'the row is longer than 64 KiB';
    default:
      return `the text is no CSV (${code})`;
  }
}
