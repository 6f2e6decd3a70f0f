import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import type { SubjectPosition, SubjectSessions } from '../../delivery/outbox/index.ts';
import type { RecordingStore } from '../../media/recording/index.ts';
import type { RemoteAnswer, RemoteOperation } from '../host/site-port.ts';
import { type FoundSubject, findSubject, recordingOf, type WalkPorts, walk } from './subject-walk.ts';

interface FoundRecords {
  readonly records: readonly { readonly seq: number; readonly record: { readonly recordId: string } }[];
  readonly next?: number | undefined;
}

export interface PrivacyPorts extends WalkPorts {
  readonly recordingStore: Pick<RecordingStore, 'all' | 'remove'>;
  /** Removes the subject from the memory of the program, which the journal does not hold. */
  readonly forget: (subject: DataSubject) => void;
  /** Takes the subject out of the captured messages; gives how many there were. Absent: none are captured. */
  readonly captured?:
    | ((isIn: (text: string) => boolean, traceIds: readonly string[]) => Promise<number>)
    | undefined;
  /** Removes the records of sessions that name the subject or are of it; absent: there are none. */
  readonly records?: (subject: DataSubject, of: SubjectSessions) => Promise<number>;
  /** The next records that name the subject or are of it, and the number after which the rest begins; absent: there are none. */
  readonly recordsOf?: (subject: DataSubject, of: SubjectSessions, afterSeq: number) => Promise<FoundRecords>;
  readonly log: Log;
}

/** An answer must fit into one message of 64 KiB, with its escapes. */
const PAGE_CHARS = 40 * 1_024;
/** So much of a row at once: six times as long at most, as JSON writes it. */
const PIECE_CHARS = 6 * 1_024;
/** Where the records of sessions end and the recordings begin. */
const RECORDINGS = 'recordings';
/** A search result is good for the pages of one export. */
const FOUND_FOR_MS = 600_000;

interface Piece {
  readonly kind: string;
  readonly key: string;
  readonly piece: number;
  readonly of: number;
  readonly text: string;
}

/**
 * The data of this host about a device or a person: the cloud sees them page by page, and the host removes them when their
 * sessions are over (control plane, section 12). The host removes nothing while an alarm of it is active or a receiver still
 * waits for a message about it.
 */
export class PersonalData {
  readonly #ports: PrivacyPorts;
  #known: { readonly subject: string; readonly untilMs: number; readonly found: FoundSubject } | undefined;

  constructor(ports: PrivacyPorts) {
    this.#ports = ports;
  }

  /** As the cloud asks for them (`privacy.export`, `privacy.erase`). */
  get operations(): Readonly<Record<'privacy.export' | 'privacy.erase', RemoteOperation>> {
    return {
      'privacy.export': async ({ args }) => {
        const parsed = REMOTE_ARGS['privacy.export'].safeParse(args);
        const after = parsed.success ? placeOf(parsed.data.after) : undefined;
        if (!parsed.success || after === undefined)
          return { ok: false, code: 'invalid', reason: '/args is not subject and after' };
        return await this.#page(parsed.data.subject, after);
      },
      'privacy.erase': async ({ args, by }) => {
        const parsed = REMOTE_ARGS['privacy.erase'].safeParse(args);
        if (!parsed.success)
          return { ok: false, code: 'invalid', reason: '/args is not subject, keepDevice and check' };
        const { subject, keepDevice, check } = parsed.data;
        return await this.#erase(subject, keepDevice, check, by);
      },
    };
  }

  async #page(subject: DataSubject, after: Place): Promise<RemoteAnswer> {
    const found = await this.#found(subject);
    const page: Piece[] = [];
    let chars = 0;
    const takes = (kind: string, key: string, shown: unknown, from: number): number | undefined => {
      const text = JSON.stringify(shown);
      const of = Math.ceil(text.length / PIECE_CHARS);
      for (let piece = from; piece < of; piece++) {
        const part = text.slice(piece * PIECE_CHARS, (piece + 1) * PIECE_CHARS);
        const size = JSON.stringify(part).length + 100;
        if (chars + size > PAGE_CHARS && page.length > 0) return piece;
        chars += size;
        page.push({ kind, key, piece, of, text: part });
      }
      return undefined;
    };
    const answer = (next?: string): RemoteAnswer => ({
      ok: true,
      value: { rows: page, ...(next !== undefined && { next }) },
    });
    if (isInTables(after)) {
      let { position, piece } = after;
      const request = { work: 'read', subject, ...found, beforeMs: this.#ports.nowMs() + 1 } as const;
      for await (const step of walk(this.#ports, request, position)) {
        for (const { kind, row, shown } of step.rows) {
          const left = takes(kind, `${kind} ${row}`, shown, piece);
          if (left !== undefined) return answer(`${position.table}.${row - 1}.${left}`);
          piece = 0;
        }
        position = step.next ?? position;
        if (step.next !== undefined && chars > PAGE_CHARS / 2)
          return answer(`${position.table}.${position.afterRow}.0`);
      }
    }
    if (isInTables(after) && page.length > 0) return answer(placeOfRecords(0));
    if (isInTables(after) || typeof after === 'number') {
      let afterSeq: number | undefined = typeof after === 'number' ? after : 0;
      while (afterSeq !== undefined) {
        const step: FoundRecords | undefined = await this.#ports.recordsOf?.(subject, found, afterSeq);
        const next: number | undefined = step?.next;
        // A record is smaller than a piece.
        for (const { seq, record } of step?.records ?? [])
          if (takes('record', `record ${record.recordId}`, record, 0) !== undefined)
            return answer(placeOfRecords(seq - 1));
        if (next !== undefined && chars > PAGE_CHARS / 2) return answer(placeOfRecords(next));
        afterSeq = next;
      }
      if (page.length > 0) return answer(placeOfRecordings(0, 0));
    }
    // The recordings of one person are few; their transcripts are long.
    const begin = isInTables(after) || typeof after === 'number' ? { recording: 0, piece: 0 } : after;
    const mine = (await this.#ports.recordingStore.all()).filter(recordingOf(subject, found));
    for (const [index, recording] of mine.entries()) {
      if (index < begin.recording) continue;
      const from = index === begin.recording ? begin.piece : 0;
      const left = takes('recording', `recording ${recording.recordingId}`, recording, from);
      if (left !== undefined) return answer(placeOfRecordings(index, left));
    }
    return answer();
  }

  async #erase(subject: DataSubject, keepDevice: boolean, check: boolean, by: string): Promise<RemoteAnswer> {
    const { recordingStore, nowMs, log } = this.#ports;
    const beforeMs = nowMs() + 1;
    const found = await findSubject(this.#ports, subject);
    const recordings = (await recordingStore.all()).filter(recordingOf(subject, found));
    const running = recordings.filter(({ event }) => event === undefined).length;
    if (found.open.length + running > 0)
      return refused(
        'alarmActive',
        `${found.open.length} alarms and ${running} recordings of it are not over; end them and try again`,
      );
    const { sessions, traces } = found;
    const request = { subject, sessions, traces, beforeMs } as const;
    let owed = recordings.filter(({ reported }) => !reported).length;
    for await (const step of walk(this.#ports, { ...request, work: 'count' })) owed += step.owed;
    if (check) return { ok: true, value: { removed: {}, files: [], owed } };
    if (owed > 0)
      return refused('owed', `${owed} messages about it are not delivered yet; it is tried again`);
    const removed: Record<string, number> = {};
    const add = (counts: Readonly<Record<string, number>>): void => {
      for (const [kind, count] of Object.entries(counts))
        if (count > 0) removed[kind] = (removed[kind] ?? 0) + count;
    };
    const files = recordings.flatMap((recording) => recording.files.map(({ fileName }) => fileName));
    for (const recording of recordings) await recordingStore.remove(recording);
    add({ recording: recordings.length });
    // Before the traces, by which its messages are found.
    add({ capture: (await this.#ports.captured?.(subjectMatcher(subject).isIn, traces)) ?? 0 });
    add({ record: (await this.#ports.records?.(subject, { sessions, traces })) ?? 0 });
    for await (const step of walk(this.#ports, { ...request, work: 'remove' })) add(step.removed);
    if (!keepDevice)
      for await (const step of walk(this.#ports, { ...request, work: 'forget' })) add(step.removed);
    this.#ports.forget(subject);
    this.#known = undefined;
    log('info', 'personal_data.removed', 'Removed the personal data of a subject on request', {
      by,
      ...removed,
    });
    return { ok: true, value: { removed, files } };
  }

  async #found(subject: DataSubject): Promise<FoundSubject> {
    const name = JSON.stringify(subject);
    const nowMs = this.#ports.nowMs();
    if (this.#known?.subject === name && this.#known.untilMs > nowMs) return this.#known.found;
    const found = await findSubject(this.#ports, subject);
    this.#known = { subject: name, untilMs: nowMs + FOUND_FOR_MS, found };
    return found;
  }
}

/** A number: the records of sessions after it. `recording`: the recordings from this one on. */
type Place = number | InTables | { readonly recording: number; readonly piece: number };
interface InTables {
  readonly position: SubjectPosition;
  readonly piece: number;
}

const isInTables = (place: Place): place is InTables => typeof place === 'object' && 'position' in place;

/** Where a page begins; undefined: no page of ours said that. */
function placeOf(after: string | undefined): Place | undefined {
  if (after === undefined) return { position: { table: 0, afterRow: 0 }, piece: 0 };
  // A page of an earlier program: all recordings follow.
  if (after === RECORDINGS) return { recording: 0, piece: 0 };
  const [, recording, part] = /^recordings\.(\d{1,9})\.(\d{1,6})$/.exec(after) ?? [];
  if (recording !== undefined) return { recording: Number(recording), piece: Number(part) };
  const [, seq] = /^records\.(\d{1,15})$/.exec(after) ?? [];
  if (seq !== undefined) return Number(seq);
  const [, table, afterRow, piece] = /^(\d{1,2})\.(\d{1,15})\.(\d{1,6})$/.exec(after) ?? [];
  return table === undefined
    ? undefined
    : { position: { table: Number(table), afterRow: Number(afterRow) }, piece: Number(piece) };
}

const placeOfRecordings = (recording: number, piece: number): string => `${RECORDINGS}.${recording}.${piece}`;
const placeOfRecords = (afterSeq: number): string => `records.${afterSeq}`;

const refused = (code: string, reason: string): RemoteAnswer => ({ ok: false, code, reason });
