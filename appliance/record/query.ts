import {
  RECORD_KINDS,
  RECORD_RESULTS,
  type RecordKind,
  type SessionRecord,
} from '#shared/contract/session-record/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** A question for records, newest first. */
export interface RecordQuery {
  /** Epoch ms; `fromMs` is within, `toMs` is not. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly kind?: RecordKind;
  readonly result?: SessionRecord['result'];
  /** Beginning of the deviceId. */
  readonly device?: string;
  /** Beginning of the caller or of the called number. */
  readonly number?: string;
  /** Id of the bridge or service. */
  readonly receiver?: string;
  readonly protocol?: string;
  /** Beginning of one of the warnings. */
  readonly warning?: string;
  readonly traceId?: string;
  /** The last record of the page before. */
  readonly after?: { readonly at: number; readonly recordId: string };
  readonly limit: number;
}

const DAY_MS = 86_400_000;
const LIMIT = 100;
const MOST = 1_000;
const TEXTS = {
  device: 'device',
  number: 'number',
  bridge: 'receiver',
  protocol: 'protocol',
  warning: 'warning',
  traceId: 'traceId',
} as const;
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(TEXTS),
  'from',
  'to',
  'kind',
  'result',
  'limit',
  'nextToken',
]);

/** The question in the parameters of a URL: the last 24 h without a range, 100 records without a limit. */
export function readRecordQuery(
  parameters: URLSearchParams,
  nowMs: number,
): Result<RecordQuery, Failure<'invalid'>> {
  for (const name of parameters.keys())
    if (!KNOWN.has(name)) return invalid(name, `is no filter; use ${[...KNOWN].join(', ')}`);
  const toMs = timeIn(parameters, 'to') ?? nowMs + 1;
  const fromMs = timeIn(parameters, 'from') ?? toMs - DAY_MS;
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    return invalid(Number.isNaN(toMs) ? 'to' : 'from', 'must be a time (RFC 3339) or epoch ms');
  const kind = parameters.get('kind') ?? undefined;
  if (kind !== undefined && !isOneOf(RECORD_KINDS, kind))
    return invalid('kind', `must be one of ${RECORD_KINDS.join(', ')}`);
  const result = parameters.get('result') ?? undefined;
  if (result !== undefined && !isOneOf(RECORD_RESULTS, result))
    return invalid('result', `must be one of ${RECORD_RESULTS.join(', ')}`);
  const limit = Number(parameters.get('limit') ?? LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    return invalid('limit', `must be a number from 1 to ${MOST}`);
  const token = parameters.get('nextToken');
  const after = token === null ? undefined : placeOf(token);
  if (token !== null && after === undefined)
    return invalid('nextToken', 'must be the nextToken of the page before');
  const texts = Object.entries(TEXTS).flatMap(([name, member]) => {
    const value = parameters.get(name);
    return value === null || value === '' ? [] : [[member, value]];
  });
  return ok({
    ...{ fromMs, toMs, limit },
    ...(kind !== undefined && { kind }),
    ...(result !== undefined && { result }),
    ...(after !== undefined && { after }),
    ...Object.fromEntries(texts),
  });
}

/** The `nextToken` that leads to the records after this one. */
export const tokenAfter = ({ at, recordId }: Pick<SessionRecord, 'at' | 'recordId'>): string =>
  `${at}.${recordId}`;

function placeOf(token: string): RecordQuery['after'] {
  const [, at, recordId] = /^(\d{1,15})\.([0-9a-z]{26})$/.exec(token) ?? [];
  return at === undefined || recordId === undefined ? undefined : { at: Number(at), recordId };
}

/** NaN: it cannot be read. */
function timeIn(parameters: URLSearchParams, name: string): number | undefined {
  const written = parameters.get(name);
  if (written === null) return undefined;
  return /^\d{1,15}$/.test(written) ? Number(written) : Date.parse(written);
}

const invalid = (name: string, reason: string) =>
  fail('invalid', `The parameter ${name} is refused: it ${reason}.`, `/${name}`);
const isOneOf = <Word extends string>(words: readonly Word[], word: string): word is Word =>
  (words as readonly string[]).includes(word);
