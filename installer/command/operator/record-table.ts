import { writeFileSync } from 'node:fs';
import type { CallFailure, Client } from '#shared/client/index.ts';
import { csvText } from '#shared/contract/record/index.ts';
import type { SessionTrace, ShownRecord, TraceHost } from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { type Answered, type Given, type Operation, wholeList } from './operation/operation.ts';
import { ladderOf, TraceTail, timelineOf } from './trace-text.ts';

const word = (text: string | undefined): string => text ?? '';

/** Options that say which records are meant. */
export const RECORD_FILTERS = [
  ['--from <time>', 'begin, as ISO 8601 or epoch ms (default: the last 24 hours)'],
  ['--to <time>', 'end, as ISO 8601 or epoch ms'],
  ['--site <id>', 'only of this site'],
  ['--host <id>', 'only of this host'],
  ['--kind <kind>', 'alarm, alarmSent, call, mediaService, cloudUserAgent, recording, message or attempt'],
  ['--device <prefix>', 'only devices whose id begins with it'],
  ['--number <prefix>', 'only calling or called numbers that begin with it'],
  ['--bridge <id>', 'only of this alarm bridge or service'],
  ['--protocol <name>', 'only of this alarm protocol'],
  ['--result <result>', 'running, done, refused, unanswered, failed or interrupted'],
  ['--warning <word>', 'only with this tolerated deviation'],
  ['--trace <traceId>', 'only of this trace'],
] as const;

/** Sessions and their traces. */
export const RECORD_OPERATIONS: readonly Operation[] = [
  {
    name: 'record list',
    does: 'Lists the sessions of a tenant, newest first: alarms, calls, messages, refused attempts.',
    arguments: ['domain'],
    options: [
      ...RECORD_FILTERS,
      ['--text <part>', 'only with this part of any field'],
      ['--transcript <words>', 'only where these words were said in a recording; stands in the audit log'],
      ['--most <n>', 'longest list (default 1000)'],
    ],
    example: 'carillon record list care.example --device flat-12 --result failed',
    run: (client, given) =>
      wholeList('records', given, (part) =>
        client.call('getRecordByDomain', {
          domain: word(given.domain),
          ...filterOf(given),
          ...part,
        } as never),
      ),
    list: [
      'records',
      'recordId',
      'at',
      'kind',
      'result',
      'siteId',
      'hostId',
      'deviceId',
      'from',
      'to',
      'traceId',
    ],
    notes: unsearched,
  },
  {
    name: 'record show',
    does: 'Shows the whole record of one session.',
    arguments: ['domain', 'recordId'],
    example: 'carillon record show care.example 01jd0000000000000000000000',
    run: (client, given) =>
      client.call('getRecordByDomainByRecordId', {
        ...{ domain: word(given.domain), recordId: word(given.recordId) },
      }),
    sentence: ({ record }) => JSON.stringify(record, undefined, 2),
  },
  {
    name: 'trace',
    does: 'Shows the steps of one session, from the device to the answer. Each look stands in the audit log.',
    arguments: ['domain', '[traceId]'],
    options: [
      ['--device <id>', 'the newest session of this device instead of a trace id'],
      ['--number <number>', 'the newest session with this number instead of a trace id'],
      ['--last', 'the newest session of the tenant instead of a trace id'],
      ['--follow', 'the steps of a session that runs, as they come, until it ends'],
      ['--ladder', 'as a ladder'],
      ['--pcap <file>', 'writes the messages of the session into a file for Wireshark instead'],
      ['--csv', 'the events of the trace as CSV, for a spreadsheet'],
    ],
    example: 'carillon trace care.example 0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11 --ladder',
    run: traceOf,
    follow: traceFollower,
    sentence: ({ trace, entries, pcap, bytes }, { ladder, csv }) => {
      if (pcap !== undefined) return `${pcap}: ${bytes} bytes; keep it like a password.`;
      if (csv !== undefined) return csvText(rowsOf(entries as Events)).trimEnd();
      if (trace === undefined)
        return rowsOf(entries as Events)
          .map((row) => row.join('  '))
          .join('\n');
      return [...(ladder === undefined ? timelineOf : ladderOf)(trace as SessionTrace)].join('\n');
    },
  },
];

/** The parts that a search in transcripts has not seen. */
function unsearched({ hosts = [], cut }: Readonly<Record<string, unknown>>): readonly string[] {
  const missing = (hosts as readonly TraceHost[]).flatMap(({ hostId, state, reason }) => {
    if (state === 'away') return [`Host ${hostId} is not connected: its words were not searched.`];
    return state === 'failed' ? [`Host ${hostId} has not searched its words: ${reason}.`] : [];
  });
  return cut === true
    ? [...missing, 'A host has more matches than it gave: choose a shorter time.']
    : missing;
}

type Events = readonly Readonly<Record<string, unknown>>[];
const COLUMNS = ['at', 'level', 'siteId', 'hostId', 'type', 'details'] as const;

/** Events of a trace as rows of text, below the names of the columns. */
const rowsOf = (events: Events): string[][] => [
  [...COLUMNS],
  ...events.map((event) => COLUMNS.map((column) => cellOf(column, event[column]))),
];

function cellOf(column: (typeof COLUMNS)[number], value: unknown): string {
  if (value === undefined) return '-';
  if (column === 'at') return new Date(Number(value)).toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Words of the command line as the API takes them. */
export function filterOf(given: Given): Record<string, string> {
  const { site, host, kind, device, number, bridge, protocol, result, warning, trace } = given;
  const { text, transcript } = given;
  const [from, to] = [momentOf(given.from), momentOf(given.to)];
  const all = {
    siteId: site,
    hostId: host,
    kind,
    deviceId: device,
    number,
    bridge,
    protocol,
    result,
    warning,
    text,
    transcript,
  };
  return Object.fromEntries(
    Object.entries({ ...all, traceId: trace, from, to }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

function momentOf(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Stop(exitCode.wrongUse, `${text} is no time: give ISO 8601 or epoch ms.`);
  return String(at);
}

/** Shows the steps of a session that were not shown yet, as long as it runs. */
function traceFollower(say: (line: string) => void) {
  const tail = new TraceTail();
  return (answer: Readonly<Record<string, unknown>>, { domain, cloud, token }: Given): Given | undefined => {
    const { trace, record } = answer as { readonly trace?: SessionTrace; readonly record?: ShownRecord };
    if (trace === undefined) throw new Stop(exitCode.refused, 'The session has no record to follow.');
    for (const line of tail.next(trace)) say(line);
    // The newest session of a device may be another one by then.
    return record?.result === 'running' ? { domain, cloud, token, traceId: trace.traceId } : undefined;
  };
}

/** Finds the record that is meant, and fetches its trace. */
async function traceOf(client: Client, given: Given): Answered {
  const { traceId, device, number, last } = given;
  const domain = word(given.domain);
  if ([traceId, device, number, last].filter((each) => each !== undefined).length !== 1)
    throw new Stop(exitCode.wrongUse, 'Give a trace id, or one of --device, --number and --last.');
  const found = await tracedRecord(client, given);
  // An older session has no record: its events are all that is known.
  if (!found.ok && found.error.code === NO_RECORD && traceId !== undefined)
    return await wholeList('entries', given, (part) =>
      client.call('getProvisioningLog', { domain, traceId, ...part }),
    );
  if (!found.ok) return found;
  const record = found.value;
  const { recordId } = record;
  if (given.pcap !== undefined) return await captureOf(client, domain, recordId, given.pcap);
  const answer = await client.call('getRecordByDomainByRecordIdTrace', { domain, recordId });
  return answer.ok ? ok({ ...answer.value, record, entries: answer.value.trace.events }) : answer;
}

const NO_RECORD = 'noRecord';

/** The newest record that has a trace and is meant; fails with `noRecord`. */
export async function tracedRecord(client: Client, given: Given): Promise<Result<ShownRecord, CallFailure>> {
  const { traceId, device, number } = given;
  const filter = filterOf({ trace: traceId, device, number, from: '0' });
  const asked = { domain: word(given.domain), ...filter, limit: '100' };
  const found = await client.call('getRecordByDomain', asked as never);
  if (!found.ok) return found;
  const { records } = found.value as unknown as { records: readonly ShownRecord[] };
  const record = records.find((each) => each.traceId !== undefined);
  return record === undefined
    ? fail(NO_RECORD, 'No record with a trace fits. List the records with carillon record list.')
    : ok(record);
}

/** Fetches the messages of a session into a file that only its owner reads. */
async function captureOf(client: Client, domain: string, recordId: string, file: string): Answered {
  const answer = await client.file('getRecordByDomainByRecordIdCapturePcap', { domain, recordId });
  if (!answer.ok) return answer;
  keepFile(file, answer.value);
  return ok({ success: true, recordId, pcap: file, bytes: answer.value.length });
}

/** Writes what only its owner may read. */
export function keepFile(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600 });
  } catch (cause) {
    throw new Stop(exitCode.disk, `${file} cannot be written: ${(cause as Error).message}`);
  }
}
