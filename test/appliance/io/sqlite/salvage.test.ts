import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { journalMigrations } from '#appliance/io/sqlite/database/journal-schema.ts';
import { migrate } from '#appliance/io/sqlite/database/open-sqlite.ts';
import { journalReads } from '#appliance/io/sqlite/journal-read.ts';
import { pack } from '#appliance/io/sqlite/journal-statement.ts';
import { JournalWriter } from '#appliance/io/sqlite/journal-writer.ts';
import { openWhole, readReport } from '#appliance/io/sqlite/salvage/index.ts';
import { openImage, scanPage } from '#shared/sqlite-file/index.ts';
import { damagePages, rowsByPage } from '#test/support/damaged-page.ts';
import { event, outbox, session, sessionRow, t0 } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

/* Every page of a real journal may be damaged in any way: whatever stands on the others is in the new one, once. */

const folder = tempFolders();
const PAGE = 4096;
const ALARMS = 200;
const ROUNDS = 60;

/** Texts that no flipped bit turns into each other; each eighth is larger than a page. */
const bodyOf = (n: number): string => {
  let state = n * 2_654_435_761;
  const words = Array.from({ length: n % 8 === 0 ? 1200 : 60 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state.toString(36);
  });
  return JSON.stringify({ n, words });
};

const alarm = (n: number): readonly JournalWrite[] => [
  session(n, { body: bodyOf(3 * n) }),
  event(n, { body: bodyOf(3 * n + 1), wallMs: t0 + n }),
  outbox(n, { orderKey: sessionRow(n).id, state: n <= 160 ? 'done' : 'inflight', body: bodyOf(3 * n + 2) }),
];

/** A journal with free pages, rows in every state and, when `logged`, its newest sixty alarms in the log. */
function journalAt(file: string, logged: boolean): { main: Buffer; wal: Buffer } {
  const writer = new JournalWriter({ file, bootId: 'a' });
  const commit = (from: number, to: number) => {
    for (let n = from; n < to; n += 20)
      writer.commit([Array.from({ length: 20 }, (_, at) => alarm(n + at).map(pack)).flat()]);
  };
  commit(1001, 1101);
  commit(1, logged ? 141 : ALARMS + 1);
  writer.db.exec(
    'DELETE FROM outbox WHERE seq > 1000; DELETE FROM event WHERE rowid <= 100; DELETE FROM session WHERE rowid <= 100',
  );
  writer.db.pragma('wal_checkpoint(TRUNCATE)');
  if (logged) commit(141, ALARMS + 1);
  const main = readFileSync(file);
  const wal = readFileSync(`${file}-wal`);
  writer.close();
  return { main, wal };
}

let rest: { main: Buffer; wal: Buffer };
let logged: { main: Buffer; wal: Buffer };
beforeAll(() => {
  const at = folder();
  rest = journalAt(join(at, 'rest.db'), false);
  logged = journalAt(join(at, 'logged.db'), true);
});

function seeded(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Ids of the events whose pages, those of their rest included, are all whole. */
function surelyKept(main: Buffer, damaged: ReadonlySet<number>, from: number): readonly string[] {
  const read: number[] = [];
  const image = openImage({
    size: main.length,
    read: (offset, length) => {
      read.push(Math.floor(offset / PAGE) + 1);
      return main.subarray(offset, offset + length);
    },
    wal: new Uint8Array(),
  });
  const ids: string[] = [];
  for (let page = 1; page <= image.pageCount; page++) {
    read.length = 0;
    const rows = image.free.has(page) ? [] : (scanPage(image, page)?.rows ?? []);
    if (read.some((each) => damaged.has(each))) continue;
    for (const { values } of rows)
      if (values.length === 7 && Number(String(values[0]).slice('event-'.length)) >= from)
        ids.push(String(values[0]));
  }
  return ids;
}

interface Damage {
  readonly bytes: Buffer;
  readonly pages: ReadonlySet<number>;
}

const DAMAGES: Readonly<Record<string, (main: Buffer, random: (below: number) => number) => Damage>> = {
  pages: (main, random) => {
    const bytes = Buffer.from(main);
    const pages = new Set<number>();
    const count = 1 + random(main.length / PAGE / 4);
    const fill = random(3);
    for (let hit = 0; hit < count; hit++) {
      const page = 1 + random(main.length / PAGE);
      pages.add(page);
      for (let at = 0; at < PAGE; at++) bytes[(page - 1) * PAGE + at] = [0, 0xa5, random(256)][fill] ?? 0;
    }
    return { bytes, pages };
  },
  'an end that is missing': (main, random) => {
    const length = random(main.length);
    const pages = new Set<number>();
    for (let page = Math.floor(length / PAGE) + 1; page <= main.length / PAGE; page++) pages.add(page);
    return { bytes: Buffer.from(main.subarray(0, length)), pages };
  },
  bits: (main, random) => {
    const bytes = Buffer.from(main);
    const pages = new Set<number>();
    const count = 1 + random(40);
    for (let hit = 0; hit < count; hit++) {
      const at = random(main.length);
      pages.add(Math.floor(at / PAGE) + 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
    }
    return { bytes, pages };
  },
};

/** Opens the file as a start does, reads all that a start reads, and says what is there. */
function startWith(file: string) {
  const db = openWhole({ file }, t0 + 1_000_000);
  migrate(db, journalMigrations);
  const reads = journalReads(db);
  const pending = reads.pendingOutbox();
  for (const { id } of reads.openSessions()) reads.events(id);
  reads.dedupeAnswers(0);
  reads.heartbeats();
  reads.bindings();
  reads.deadLetters(0, 1000);
  reads.owedCopies('a', 0, t0, 500);
  reads.undelivered(0, 1000);
  const events = new Map(
    db
      .prepare<[], { id: string; body: string }>('SELECT id, body FROM event')
      .all()
      .map(({ id, body }) => [id, body]),
  );
  const bodies = db.prepare<[], string>('SELECT body FROM outbox').pluck().all();
  const report = readReport(db);
  const version = db.pragma('user_version', { simple: true });
  const sound = db.pragma('integrity_check(1)', { simple: true });
  db.close();
  return { pending, events, bodies, report, version, sound };
}

describe('a journal that is damaged in its pages', () => {
  it.each(Object.keys(DAMAGES))(
    '(%s) gives all that stands on the others, once',
    { timeout: 120_000 },
    (kind) => {
      const at = folder();
      let salvages = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const file = join(at, `${round}.db`);
        const { bytes, pages } = DAMAGES[kind]?.(rest.main, seeded(round + 1)) ?? {
          bytes: rest.main,
          pages: new Set(),
        };
        writeFileSync(file, bytes);
        const { events, bodies, report, version, sound, pending } = startWith(file);
        const missing = surelyKept(rest.main, pages, 101).filter(
          (id) => events.get(id) !== bodyOf(3 * Number(id.slice('event-'.length)) + 1),
        );
        expect({ round, missing }).toEqual({ round, missing: [] });
        expect({ round, twice: bodies.length - new Set(bodies).size }).toEqual({ round, twice: 0 });
        expect(version).toBe(journalMigrations.length);
        if (report === undefined) continue;
        salvages++;
        expect({ round, sound }).toEqual({ round, sound: 'ok' });
        expect(pending.filter(({ late }) => !late)).toEqual([]);
        expect(readFileSync(report.file).equals(bytes)).toBe(true);
      }
      expect(salvages).toBeGreaterThan(ROUNDS / 4);
    },
  );

  it('gives what stands in its log, too', { timeout: 120_000 }, () => {
    const at = folder();
    for (let round = 0; round < ROUNDS / 2; round++) {
      const file = join(at, `${round}.db`);
      const random = seeded(1000 + round);
      const { bytes } = DAMAGES.pages?.(logged.main, random) ?? { bytes: logged.main };
      const wal = Buffer.from(logged.wal);
      // A page of the main file, and in each second round a byte of the log.
      const frame = round % 2 === 0 ? undefined : random(wal.length / (PAGE + 24));
      if (frame !== undefined) wal[32 + frame * (PAGE + 24) + 24 + random(PAGE)] = random(256);
      writeFileSync(file, bytes);
      writeFileSync(`${file}-wal`, wal);
      const { pending, bodies } = startWith(file);
      expect({ round, twice: bodies.length - new Set(bodies).size }).toEqual({ round, twice: 0 });
      // Alarms 141 to 200 are in the log: of each page of them the newest state counts, whatever became of the file.
      const waiting = new Set(pending.map(({ body }) => body));
      const lost = Array.from({ length: 40 }, (_, n) => 161 + n).filter(
        (n) => !waiting.has(bodyOf(3 * n + 2)),
      );
      if (frame === undefined) expect({ round, lost }).toEqual({ round, lost: [] });
      else expect({ round, many: lost.length > 20 }).toEqual({ round, many: false });
    }
  });

  it('is reported in counts, with its time span, until a person confirms it', () => {
    const file = join(folder(), 'journal.db');
    writeFileSync(file, rest.main);
    const stored = rowsByPage(file).filter(({ values }) => values.length === 7);
    const hit = new Set([3, 20, 60].map((at) => stored[at]?.page ?? 0));
    damagePages(file, hit);
    const { report, events } = startWith(file);
    const removed = stored.filter(({ pages }) => pages.some((page) => hit.has(page)));
    expect(report?.lost.events).toBe(removed.length);
    expect(removed.length).toBeGreaterThan(3);
    expect(report).toMatchObject({ atMs: t0 + 1_000_000, recovered: { events: events.size } });
    expect(report?.from).toBeGreaterThanOrEqual(t0);
    expect(report?.to).toBeLessThanOrEqual(t0 + ALARMS);
    expect(startWith(file).report).toEqual(report);
    const writer = new JournalWriter({ file, bootId: 'a' });
    writer.salvageReported();
    writer.close();
    expect(startWith(file).report).toBeUndefined();
  });

  it('is salvaged once more, or to its end, when the program ended meanwhile', () => {
    const at = folder();
    const file = join(at, 'journal.db');
    const { bytes } = DAMAGES.pages?.(rest.main, seeded(3)) ?? { bytes: rest.main };
    writeFileSync(file, bytes);
    // Killed while it filled the new file.
    writeFileSync(`${file}.salvage`, 'half a file');
    const whole = startWith(file);
    expect(whole.report?.recovered.events).toBe(whole.events.size);
    // Killed between the two renamings: the damaged file is away, or still there.
    for (const isAway of [true, false]) {
      const cut = join(at, `cut-${isAway}.db`);
      copyFileSync(file, `${cut}.salvaged`);
      if (!isAway) writeFileSync(cut, bytes);
      expect(startWith(cut).events.size).toBe(whole.events.size);
      expect(existsSync(`${cut}.salvaged`)).toBe(false);
    }
    expect(readdirSync(dirname(file)).filter((name) => /salvage/.test(name))).toEqual([]);
    expect(basename(whole.report?.file ?? '')).toBe(`journal.db.damaged-${t0 + 1_000_000}`);
  });
});
