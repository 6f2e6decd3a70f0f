import { accountName } from '../sia-data/index.ts';
import { decodeTimestamp, encodeTimestamp } from './timestamp.ts';
import { XDATA } from './xdata.codes.ts';

/** An extended data field: one letter, then text. */
export interface Xdata {
  readonly id: string;
  readonly text: string;
}

/** The content behind the first bracket of a plain frame. */
export interface Dc09Content {
  readonly data: string;
  /** Data fields behind the first one. */
  readonly furtherData: readonly string[];
  readonly xdata: readonly Xdata[];
  /** Epoch ms; null = left out or not readable. */
  readonly timeMs: number | null;
  readonly warnings: readonly string[];
}

/**
 * Reads `data][xdata]…_time`. Interop: a field without its end ends with the text, or before its time or another data
 * field (warning `bracket`); a frame has several data fields.
 */
export function decodeContent(text: string): Dc09Content {
  const { fields, between, isClosed } = fieldsIn(text);
  const [data = '', ...others] = fields;
  const isData = dataRule(data);
  const xdata = others
    .filter((field) => field !== '' && !isData(field))
    .map((field): Xdata => ({ id: field.slice(0, 1), text: field.slice(1) }));
  const time = between.trim();
  const timeMs = decodeTimestamp(time === '' || time.startsWith('_') ? time : `_${time}`) ?? null;
  const warnings = [...(isClosed ? [] : ['bracket']), ...(time !== '' && timeMs === null ? ['time'] : [])];
  return {
    data,
    furtherData: others.filter(isData),
    xdata,
    timeMs,
    warnings: [...warnings, ...xdata.flatMap(xdataWarnings)],
  };
}

const TIME_AT_END = /_\d\d:\d\d:\d\d,\d\d-\d\d-\d{4}\s*$/;

/** `between`: the text outside the fields, which is the time. The first field begins with the text. */
function fieldsIn(text: string) {
  const fields: string[] = [];
  let between = '';
  let isClosed = true;
  let another = text.indexOf('[#');
  for (let at = 0; at !== -1; ) {
    // Searched once for all fields before it: a frame may have thousands.
    if (another !== -1 && another < at) another = text.indexOf('[#', at);
    const end = fieldEnd(text, at, another);
    fields.push(text.slice(at, end));
    const isEnd = text[end] === ']';
    isClosed &&= isEnd;
    const behind = isEnd ? end + 1 : end;
    const next = text.indexOf('[', behind);
    between += text.slice(behind, next === -1 ? undefined : next);
    at = next === -1 ? -1 : next + 1;
  }
  return { fields, between, isClosed };
}

/** Position of the closing bracket, of another data field before it, of the time, or the end. */
function fieldEnd(text: string, at: number, another: number): number {
  const close = text.indexOf(']', at);
  if (another !== -1 && (close === -1 || another < close)) return another;
  if (close !== -1) return close;
  const time = TIME_AT_END.exec(text.slice(at));
  return time === null ? text.length : at + time.index;
}

/** Whether a further field is data: extended data begins with a letter, data with an account or a bar. */
function dataRule(first: string): (field: string) => boolean {
  const account = accountName(first.slice(0, Math.max(0, first.indexOf('|'))))?.toUpperCase();
  return (field) => {
    const bar = field.indexOf('|');
    if (bar === -1 || bar > 40) return false;
    const name = accountName(field.slice(0, bar))?.toUpperCase();
    return field.startsWith('#') || bar === 0 || (name !== undefined && name === account);
  };
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
