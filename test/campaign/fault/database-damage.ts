import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Site } from '#test/support/site.ts';
import type { DatabaseRound } from './database-history.ts';
import { timedDevices } from './timed-run.ts';

export type Harm = (bytes: Buffer) => Buffer;

/** Which file is harmed, and whether the log was moved into the database before. */
export interface DatabaseHarm {
  readonly name: string;
  readonly of: 'database' | 'log';
  readonly harm: Harm;
}

const PAGE = 4096;
const [RATE, SECONDS] = [30, 0.5];
/** Rows that no start of the program removes. */
const CONFIGURED = [
  'tenant',
  'site',
  'host',
  'device',
  'alarm_bridge',
  'media_service',
  'api_token',
  'notification_settings',
];
const SUFFIXES = ['', '-wal', '-shm'];

let turns = 0;

/**
 * Damages `cloud.db` or its log after a kill -9 and starts the control plane; devices alarm meanwhile. The undamaged files are put back
 * at the end, as a backup is, so that each round damages a sound database.
 *
 * @param more settings and variables of Node for the damaged start
 */
export async function databaseRound(
  site: Site,
  { name, of, harm }: DatabaseHarm,
  more: Readonly<Record<string, string>> = {},
): Promise<DatabaseRound> {
  const file = join(site.cloudFolder, 'cloud.db');
  const backup = mkdtempSync(join(tmpdir(), 'carillon-backup-'));
  try {
    await site.killCloud();
    if (of === 'database') movedIntoDatabase(file);
    copied(file, join(backup, 'cloud.db'));
    const before = lookAt(file);
    const target = of === 'database' ? file : `${file}-wal`;
    writeFileSync(target, harm(readFileSync(target)));
    const damaged = lookAt(file);
    const refused = await site.startCloud(more).then(
      () => undefined,
      (cause: unknown) => String(cause),
    );
    const sent = await timedDevices(site, { rate: RATE, seconds: SECONDS, name: `c${++turns}x` });
    const damageAlarms = refused === undefined ? await reportedOf(site) : 0;
    const after = refused === undefined ? rowsOfRunning(file) : before.rows;
    return {
      name,
      isDamaged: damaged.fault !== undefined || lostOf(before.rows, damaged.rows) > 0,
      refused,
      lost: lostOf(before.rows, after),
      damageAlarms,
      site: {
        sent: sent.length,
        acknowledged: sent.filter(({ acknowledgedMs }) => acknowledgedMs !== undefined).length,
      },
    };
  } finally {
    await site.killCloud();
    for (const each of readdirSync(site.cloudFolder))
      if (each.startsWith('cloud.db')) rmSync(join(site.cloudFolder, each));
    copied(join(backup, 'cloud.db'), file);
    rmSync(backup, { recursive: true });
    await site.startCloud();
  }
}

/** Overwrites the first page of an index that no start reads: every row can be read without it. */
export function harmIndex(bytes: Buffer): Buffer {
  const db = new Database(bytes);
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(INDEX) as number;
  db.close();
  return bytes.fill(0xa5, (root - 1) * PAGE, root * PAGE);
}
const INDEX = 'maintenance_window_tenant';

/** As a program leaves it that ends in order. */
function movedIntoDatabase(file: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  // In its log mode the bytes could not be opened from memory.
  db.pragma('journal_mode = DELETE');
  db.close();
}

function copied(from: string, to: string): void {
  for (const suffix of SUFFIXES) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
}

type Rows = ReadonlyMap<string, number>;

/** SQLite's own judgement of a copy: opening the original would change it. */
function lookAt(file: string): { readonly fault: string | undefined; readonly rows: Rows } {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-look-'));
  const copy = join(folder, 'cloud.db');
  copied(file, copy);
  const rows = new Map<string, number>();
  try {
    const db = new Database(copy);
    try {
      countInto(rows, db);
      const said = String(db.pragma('integrity_check(1)', { simple: true }));
      return { fault: said === 'ok' ? undefined : said, rows };
    } finally {
      db.close();
    }
  } catch (thrown) {
    return { fault: String(thrown), rows };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function countInto(rows: Map<string, number>, db: Database.Database): void {
  for (const table of CONFIGURED)
    rows.set(table, Number(db.prepare(`SELECT count(*) FROM "${table}" NOT INDEXED`).pluck().get()));
}

function rowsOfRunning(file: string): Rows {
  const rows = new Map<string, number>();
  const db = new Database(file, { readonly: true });
  try {
    countInto(rows, db);
  } finally {
    db.close();
  }
  return rows;
}

const lostOf = (before: Rows, after: Rows): number =>
  [...before].reduce((sum, [table, rows]) => sum + Math.max(0, rows - (after.get(table) ?? 0)), 0);

async function reportedOf({ api, cloudFolder }: Site): Promise<number> {
  const token = readFileSync(join(cloudFolder, 'bootstrap-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${api}/platform/alarm`, { headers });
  const { alarms } = (await answer.json()) as { alarms: { error: string; status: string }[] };
  return alarms.filter(({ error, status }) => error === 'storageDamaged' && status === 'active').length;
}
