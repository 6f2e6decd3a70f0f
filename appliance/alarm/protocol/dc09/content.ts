import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { decodeTimestamp, encodeTimestamp } from './timestamp.ts';
import { XDATA } from './xdata.codes.ts';

/** An extended data field: one letter, then text. */
export interface Xdata {
  readonly id: string;
  readonly text: string;
}

/** What stands behind the first bracket of a plain frame. */
export interface Dc09Content {
  readonly data: string;
  readonly xdata: readonly Xdata[];
  /** Epoch ms; null = left out or not readable. */
  readonly timeMs: number | null;
  readonly warnings: readonly string[];
}

/** Reads `data][xdata]…_time`. Malformed is only a data field without its end. */
export function decodeContent(text: string): Result<Dc09Content, Failure<'Malformed'>> {
  let end = text.indexOf(']');
  if (end === -1) return fail('Malformed', 'the data field has no closing bracket');
  const data = text.slice(0, end);
  const xdata: Xdata[] = [];
  const warnings: string[] = [];
  while (text[end + 1] === '[') {
    const close = text.indexOf(']', end + 2);
    if (close === -1) return fail('Malformed', 'an extended data field has no closing bracket');
    const field = text.slice(end + 2, close);
    if (field !== '') xdata.push({ id: field.slice(0, 1), text: field.slice(1) });
    end = close;
  }
  const rest = text.slice(end + 1);
  const timeMs = decodeTimestamp(rest) ?? null;
  if (rest !== '' && timeMs === null) warnings.push('time');
  return ok({ data, xdata, timeMs, warnings: [...warnings, ...xdata.flatMap(xdataWarnings)] });
}

/** Closing bracket of the data, extended data, time; brackets and line ends inside texts are left out. */
export function encodeContent(content: {
  readonly data?: string;
  readonly xdata?: readonly Xdata[];
  readonly timeMs?: number;
}): string {
  const xdata = (content.xdata ?? []).map(({ id, text }) => `[${id}${text.replace(/[[\]\r\n]/g, '')}]`);
  const time = content.timeMs === undefined ? '' : encodeTimestamp(content.timeMs);
  return `${content.data ?? ''}]${xdata.join('')}${time}`;
}

/** Extended data that makes a frame one we cannot process: exchange of keys. */
export const refusedXdata = ({ xdata }: Dc09Content): Xdata | undefined =>
  xdata.find(({ id }) => rowOf(id)?.refused);

const rowOf = (id: string) => XDATA.find((row) => row.id === id);

function xdataWarnings({ id, text }: Xdata): readonly string[] {
  const row = rowOf(id);
  if (row === undefined) return [`unknownCode:xdata${id}`];
  return text.length > row.maxLength ? [`tooLong:xdata${id}`] : [];
}
