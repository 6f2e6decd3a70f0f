import { csvText } from '#shared/contract/record/index.ts';
import type { RecordExportRequest, ShownRecord } from '#shared/contract/session-record/index.ts';

type Cell = string | number | boolean | undefined;
type Column = readonly [name: string, cellOf: (record: ShownRecord) => Cell];

const same = (name: keyof ShownRecord): Column => [name, (record) => record[name] as Cell];
const time = (ms: number | undefined): Cell => (ms === undefined ? undefined : new Date(ms).toISOString());

/** Columns of the CSV. New ones come at the end: a spreadsheet may count them. */
const COLUMNS: readonly Column[] = [
  same('recordId'),
  ['at', ({ at }) => time(at)],
  ...(['kind', 'result', 'reason', 'siteId', 'hostId', 'traceId', 'sessionId'] as const).map(same),
  ...(['deviceId', 'controllerId', 'customerSiteId', 'from', 'to'] as const).map(same),
  ...(['receiver', 'receiverName', 'protocol', 'eventType', 'statusCode'] as const).map(same),
  ['storedAt', ({ times }) => time(times.stored)],
  ['callbackAnsweredAt', ({ times }) => time(times.callbackAnswered)],
  ['deviceAnsweredAt', ({ times }) => time(times.deviceAnswered)],
  ['voiceJoinedAt', ({ times }) => time(times.voiceJoined)],
  ['endedAt', ({ times }) => time(times.ended)],
  ...(['durationMs', 'speechMs', 'tries'] as const).map(same),
  ['deliveries', ({ deliveries }) => deliveries?.count],
  ['failedDeliveries', ({ deliveries }) => deliveries?.failed],
  ['lastStatus', ({ deliveries }) => deliveries?.lastStatus],
  ...(['acceptedBy', 'requestUri', 'source', 'trunk', 'restarts', 'attempts'] as const).map(same),
  ['warnings', ({ warnings }) => warnings?.join(' ')],
  ...(['masked', 'estimated', 'erased'] as const).map(same),
];

const cell = (value: Cell): string => (value === undefined ? '' : String(value));

/** The text of a file before its first record. */
export const exportHead = (format: RecordExportRequest['format']): string =>
  format === 'csv' ? csvText([COLUMNS.map(([name]) => name)]) : '';

/** Records as the next lines of a file. */
export const exportLines = (
  format: RecordExportRequest['format'],
  records: readonly ShownRecord[],
): string =>
  format === 'csv'
    ? csvText(records.map((record) => COLUMNS.map(([, cellOf]) => cell(cellOf(record)))))
    : records.map((record) => `${JSON.stringify(record)}\n`).join('');
