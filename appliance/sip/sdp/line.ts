import { ok, type Result } from '#shared/result.ts';
import type { SdpLimit } from './limit.ts';
import { refuse, type SdpRefusal } from './refusal.ts';

/**
 * Attributes we use. Everything else is dropped before the grammar sees it: it would be read for nothing, and
 * some patterns of the grammar for exotic attributes are slow on made-up text.
 */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  'rtpmap fmtp ptime maxptime crypto rtcp rtcp-mux label mid sendrecv sendonly recvonly inactive'.split(' '),
);
const TYPES = 'voscatm';

/**
 * Checks limits and form, and answers only the lines that mean something to us, joined by CRLF.
 * Interop: lines may end in LF or CR alone; empty lines are passed over.
 */
export function usableLines(text: string, limit: SdpLimit): Result<string, SdpRefusal> {
  if (text.length > limit.size) return refuse('TooLarge', `session description over ${limit.size} bytes`);
  if (text.includes('\0')) return refuse('Malformed', 'session description holds NUL');
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > limit.lines) return refuse('TooLarge', `session description over ${limit.lines} lines`);
  if (lines.length - 1 < 2 || lines.find((line) => line !== '') !== 'v=0')
    return refuse('Malformed', 'a session description begins with v=0', 'v');
  let kept = '';
  let media = 0;
  for (const line of lines) {
    if (line === '') continue;
    if (line.length > limit.line) return refuse('TooLarge', `line over ${limit.line} signs`);
    if (!/^[a-z]=/.test(line)) return refuse('Malformed', 'a line is a letter, an equals sign and a value');
    if (line.startsWith('m=') && ++media > limit.media)
      return refuse('TooLarge', `over ${limit.media} streams`);
    if (isUsed(line)) kept += `${normalised(line)}\r\n`;
  }
  return ok(kept);
}

function isUsed(line: string): boolean {
  if (!TYPES.includes(line.charAt(0))) return false;
  if (!line.startsWith('a=')) return true;
  const colon = line.indexOf(':');
  return ATTRIBUTES.has((colon < 0 ? line.slice(2) : line.slice(2, colon)).trimEnd());
}

/** `m=audio 49170/2 …`: a count of port pairs (RFC 8866 5.14); we take the first pair. */
function normalised(line: string): string {
  return line.startsWith('m=') ? line.replace(/^(m=\w+ \d+)\/\d+ /, '$1 ') : line;
}
