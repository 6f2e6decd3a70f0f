/** Names in lower case; of several fields with one name their values, joined by commas (RFC 9110 5.3). */
export type FieldMap = Readonly<Record<string, string | undefined>>;

/** The permissions of a cache by the headers of an answer; times in ms of the same clock. */
export interface Freshness {
  /** May be kept at all. */
  readonly storable: boolean;
  readonly freshUntilMs: number;
  /** May be played although stale when the server cannot be reached (RFC 9111 4.2.4). */
  readonly staleAllowed: boolean;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Chosen: the longest guess where the server says nothing (RFC 9111 4.2.2 recommends a tenth of the age). */
const LONGEST_GUESS_MS = 24 * 3_600_000;
const GUESS = 0.1;

/**
 * How long a copy of a prompt is good (RFC 9111 3 and 4.2), for a cache that serves many: `s-maxage` before `max-age`
 * before `Expires` before a guess; `private` and `no-store` are not kept; `no-cache` and `Vary: *` are asked about again.
 */
export function freshnessOf(fields: FieldMap, askedMs: number, answeredMs: number): Freshness {
  const control = directives(fields['cache-control'] ?? '');
  const askAlways = control.has('no-cache') || (fields.vary ?? '').trim() === '*';
  const dateMs = timeOf(fields.date) ?? answeredMs;
  // RFC 9111 4.2.3: corrected age, with the time the answer took.
  const apparentMs = Math.max(0, answeredMs - dateMs);
  const agedMs = (seconds(fields.age) ?? 0) * 1_000 + (answeredMs - askedMs);
  const bornMs = answeredMs - Math.max(apparentMs, agedMs);
  const freshUntilMs = askAlways ? 0 : bornMs + lifetimeMs(control, fields, dateMs);
  return {
    storable: !control.has('no-store') && !control.has('private'),
    freshUntilMs,
    staleAllowed: !askAlways && !control.has('must-revalidate') && !control.has('proxy-revalidate'),
    ...(fields.etag === undefined ? {} : { etag: fields.etag }),
    ...(fields['last-modified'] === undefined ? {} : { lastModified: fields['last-modified'] }),
  };
}

/** Fields of a request that asks whether a copy is still good (RFC 9110 13.1). */
export const conditionOf = ({ etag, lastModified }: Freshness): Record<string, string> => ({
  ...(etag === undefined ? {} : { 'if-none-match': etag }),
  ...(etag !== undefined || lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
});

function lifetimeMs(control: ReadonlyMap<string, string>, fields: FieldMap, dateMs: number): number {
  const said = seconds(control.get('s-maxage')) ?? seconds(control.get('max-age'));
  if (said !== undefined) return said * 1_000;
  // A date that cannot be read means stale (RFC 9111 5.3).
  if (fields.expires !== undefined) return Math.max(0, (timeOf(fields.expires) ?? dateMs) - dateMs);
  const modifiedMs = timeOf(fields['last-modified']);
  if (modifiedMs === undefined) return 0;
  return Math.min(LONGEST_GUESS_MS, Math.max(0, dateMs - modifiedMs) * GUESS);
}

function directives(text: string): ReadonlyMap<string, string> {
  const parts = text.split(',').map((part) => part.trim().split('='));
  return new Map(parts.map(([name = '', value = '']) => [name.toLowerCase(), value.replace(/^"|"$/g, '')]));
}

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;

function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
