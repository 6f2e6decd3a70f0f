import { RECORD_LIMIT_BYTES, type SessionRecord } from '#shared/contract/session-record/index.ts';
import type { Draft } from './draft.ts';

/** Most characters of each text, as the schema takes it. */
const TEXTS = {
  ...{ sessionId: 128, traceId: 128, deviceId: 128, controllerId: 128, customerSiteId: 128 },
  ...{ receiver: 128, trunk: 128, protocol: 64, eventType: 64, statusCode: 64, program: 64, source: 64 },
  ...{ receiverName: 256, rule: 256, reason: 256, from: 256, to: 256, acceptedBy: 256, requestUri: 256 },
} as const;
const MOST_LEGS = 8;
const MOST_RECORDINGS = 8;
const MOST_STREAMS = 8;
const MOST_PROMPTS = 8;
const MOST_WARNINGS = 16;

/** The order in which members give way until the record fits. */
const SHEDDING_ORDER = [
  'prompts',
  'warnings',
  'streams',
  'recordings',
  'legs',
  'requestUri',
  'rule',
  'event',
] as const;

/** The record of a draft: every text and list within its limit, the whole within 4 KB as JSON. */
export function recordOf({ answer: _, isTrunkDialled: __, called: ___, ...draft }: Draft): SessionRecord {
  let cut = false;
  const clipped = (text: string, most: number): string => {
    if (text.length <= most) return text;
    cut = true;
    return text.slice(0, most);
  };
  const listed = <Item>(list: readonly Item[], most: number): Item[] => {
    if (list.length > most) cut = true;
    return list.slice(0, most);
  };
  const record: { -readonly [Member in keyof SessionRecord]: SessionRecord[Member] } = {
    ...draft,
    times: { ...draft.times },
  };
  for (const [name, most] of Object.entries(TEXTS) as [keyof typeof TEXTS, number][]) {
    const text = record[name];
    // An empty text says nothing, and an id is never empty.
    if (text === undefined || text === '') delete record[name];
    else record[name] = clipped(text, most);
  }
  if (draft.legs !== undefined)
    record.legs = listed(draft.legs, MOST_LEGS).map((leg) => ({ ...leg, leg: clipped(leg.leg, 64) }));
  if (draft.recordings !== undefined)
    record.recordings = listed(draft.recordings, MOST_RECORDINGS).map((name) => clipped(name, 256));
  if (draft.streams !== undefined)
    record.streams = listed(draft.streams, MOST_STREAMS).map((name) => clipped(name, 256));
  if (draft.prompts !== undefined)
    record.prompts = listed(draft.prompts, MOST_PROMPTS).map((name) => clipped(name, 256));
  if (draft.warnings !== undefined)
    record.warnings = listed(draft.warnings, MOST_WARNINGS).map((warning) => clipped(warning, 128));
  if (draft.deliveries?.lastReason !== undefined)
    record.deliveries = { ...draft.deliveries, lastReason: clipped(draft.deliveries.lastReason, 256) };
  for (const name of SHEDDING_ORDER) {
    if (sizeOf(record) <= RECORD_LIMIT_BYTES - CUT_BYTES) break;
    if (record[name] === undefined) continue;
    delete record[name];
    cut = true;
  }
  if (cut) record.cut = true;
  return record;
}

const CUT_BYTES = ',"cut":true'.length;
const sizeOf = (record: SessionRecord): number => Buffer.byteLength(JSON.stringify(record));
