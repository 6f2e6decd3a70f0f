import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { CsvRecords } from '#cloud/provisioning/index.ts';
import { fail, ok } from '#shared/result.ts';

const RECORD_BYTES = 65_536;
const FIRST_LINE = /^[^\r\n]*/;

/** Records in order, the header first; a failure `malformed` ends them where the text cannot be read any further. */
export async function* readCsv(chunks: readonly Uint8Array[]): CsvRecords {
  const [first = new Uint8Array()] = chunks;
  const head = FIRST_LINE.exec(Buffer.from(first.subarray(0, RECORD_BYTES)).toString('utf8'))?.[0] ?? '';
  const parser = parse({
    bom: true,
    delimiter: head.includes(';') && !head.includes(',') ? ';' : ',',
    skip_empty_lines: true,
    // Rows of another width are somebody's mistake in one row, not in the text.
    relax_column_count: true,
    max_record_size: RECORD_BYTES,
  });
  const source = Readable.from(chunks, { objectMode: false });
  source.pipe(parser);
  try {
    for await (const record of parser) yield ok(record as string[]);
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    yield fail('malformed', `line ${parser.info.lines}: ${wording(cause)}`);
  } finally {
    source.destroy();
    parser.destroy();
  }
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
