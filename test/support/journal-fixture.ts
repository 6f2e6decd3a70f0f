import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from './appliance.ts';
import { framed, panelAt } from './panel.ts';

/** The journal of a host at one moment, with what the host was configured with and heard last. */
export interface JournalFixture {
  readonly about: string;
  /** Options of `testAppliance`. */
  readonly options: Record<string, unknown>;
  readonly wallMs: number;
  readonly config: readonly (readonly [entity: string, id: string, body: unknown])[];
  readonly message?: { readonly flow: Flow; readonly text: string };
  /** The body of the last DC-09 frame. */
  readonly frame?: string;
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** How a host finished a journal: ids and times that differ in each run are left out. */
export interface Finish {
  readonly posted: readonly {
    readonly path: string;
    readonly id: string;
    readonly body: Record<string, unknown>;
  }[];
  readonly sent: readonly string[];
  readonly said: readonly string[];
  readonly sessions: readonly string[];
  readonly outbox: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../vectors/journal');

export const fixtureNames = (): readonly string[] =>
  readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

export const fixtureOf = (name: string): JournalFixture & { readonly finish: Finish } =>
  JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

/** A folder with the journal as that program left it on its disk: its own schema, its rows. */
function journalFolder(fixture: JournalFixture): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  const db = new Database(join(folder, 'journal.db'));
  // No test cuts the power here.
  db.pragma('synchronous = OFF');
  db.exec('BEGIN');
  db.exec(readFileSync(join(FOLDER, 'schema.sql'), 'utf8'));
  for (const [table, rows] of Object.entries(fixture.tables))
    for (const row of rows) {
      const names = Object.keys(row);
      db.prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      ).run(row);
    }
  db.exec('COMMIT');
  db.close();
  return folder;
}

const STARTS_MS = 2_000;
const FINISHES_MS = 8 * 60_000;

/**
 * A host starts on the journal two seconds later, hears the device again while its application is silent, and gets
 * every answer two seconds after that. Eight minutes later everything is finished.
 */
export async function finished(fixture: JournalFixture): Promise<Finish> {
  const site = await testAppliance({ ...fixture.options, folder: journalFolder(fixture) });
  try {
    for (const [entity, id, body] of fixture.config) site.tenant.put(entity as 'device', id, body as never);
    site.setWallBy(fixture.wallMs + STARTS_MS - site.clock.wallMs());
    site.runtime.restore();
    await site.quiet();
    if (fixture.message !== undefined)
      site.runtime.message(fixture.message.flow, Buffer.from(saidAgain(fixture.message.text), 'latin1'));
    const panel = panelAt(site);
    if (fixture.frame !== undefined) panel.send(framed(fixture.frame));
    await site.quiet();
    await site.after(2_000);
    site.answerBy(() => answered({ action: 'drop' }));
    for (const { answer } of site.posted.slice()) answer(answered({ action: 'drop' }));
    await site.quiet();
    await site.after(FINISHES_MS);
    const plain = plainer(fixture);
    const db = new Database(join(site.folder, 'journal.db'), { readonly: true });
    const rows = <Row>(sql: string): Row[] => db.prepare(sql).all() as Row[];
    const sessions = rows<{ id: string; protocol: string; closed: number; state: string | null }>(
      "SELECT id, protocol, closed, json_extract(body, '$.session.state') AS state FROM session ORDER BY rowid",
    );
    const outbox = rows<{ id: string; lane: string; type: string; dest: string; state: string }>(
      'SELECT id, lane, type, dest, state FROM outbox ORDER BY seq',
    );
    db.close();
    return {
      posted: site.posted.map(({ call, delivery, body }) =>
        JSON.parse(plain(JSON.stringify({ path: call.path, id: delivery.id, body }))),
      ),
      // How often a message goes out again is no matter of the journal.
      sent: [...new Set(site.take().map((message) => plain(saying(message))))],
      said: panel.said,
      sessions: sessions.map(({ id, protocol, closed, state }) =>
        plain(`${id} ${protocol} ${state ?? '-'} ${closed === 1 ? 'closed' : 'open'}`),
      ),
      outbox: outbox.map(({ id, lane, type, dest, state }) =>
        plain(`${id} ${lane} ${type} ${dest} ${state}`),
      ),
    };
  } finally {
    await site.close();
  }
}

/** Content of a message, without addresses and keys of its transaction. */
function saying(message: SipMessage): string {
  const head = message.kind === 'request' ? message.method : `${message.status} ${message.header('CSeq')}`;
  const body = Buffer.from(message.body).toString('utf8');
  return body.startsWith('v=0') ? `${head} (SDP)` : `${head} ${body}`;
}

/** The same message in a transaction and a call of its own, as a device repeats what was not answered. */
const saidAgain = (text: string): string =>
  text
    .replace(/branch=[^;\s]+/, 'branch=z9hG4bKagain')
    .replace(/^Call-ID: .*$/im, 'Call-ID: again@device.example');

/** Leaves out parts that differ in each run, and those that are no promise: ids that the journal does not name, tokens, moments. */
function plainer(fixture: JournalFixture): (text: string) => string {
  const known = JSON.stringify(fixture.tables);
  return (text) =>
    text
      .replace(/"replyId":"[^"]*"/g, '"replyId":"…"')
      .replace(/\b[0-9a-hjkmnp-tv-z]{26}\b/g, (id) => (known.includes(id) ? id : '(new id)'))
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
        known.includes(id) ? id : '(new id)',
      )
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(moment)')
      .replace(/\b1[67]\d{8,11}\b/g, '0');
}
