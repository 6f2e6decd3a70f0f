import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenReplica, openReplica } from '#appliance/io/config/index.ts';
import type { FeedScope, Operation } from '#shared/contract/feed/index.ts';

let folder: string;
let replica: OpenReplica;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replica-'));
  replica = openReplica(folder);
});
afterEach(() => {
  replica.close();
  rmSync(folder, { recursive: true, force: true });
});

const hash = (text: string) => text.padEnd(64, '0');
const put = (id: string, body: unknown = { id }, entity = 'device'): Operation => ({
  op: 'put',
  entity,
  id,
  body,
  rowHash: hash(JSON.stringify(body).length.toString(16)),
});
const lost = (id: string): Operation => ({ op: 'delete', entity: 'device', id });

function change(scope: FeedScope, rev: number, operations: readonly Operation[], replacesAll = false): void {
  replica.beginStage(scope, replacesAll);
  replica.stage(operations);
  replica.commit({ rev, h: `h${rev}` });
}
const ids = (scope: FeedScope) => replica.rows(scope, undefined, 100).map(({ id }) => id);

describe('config.db', () => {
  it('is WAL and synced, and stands at nothing when new', () => {
    const db = new Database(join(folder, 'config.db'), { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
    expect(replica.standings().tenant).toEqual({ rev: 0, h: '' });
    expect(replica.twin()).toBeUndefined();
    expect(replica.goodStandings()).toBeUndefined();
    expect(replica.returnToGood()).toBe(false);
  });

  it('applies puts and tombstones to one scope only, in the order of the operations', () => {
    change('tenant', 1, [put('a'), put('b'), put('c')]);
    change('site', 4, [put('a', {}, 'host')]);
    change('tenant', 2, [lost('a'), put('d'), put('e'), lost('e'), lost('b'), put('b', { n: 2 })]);
    expect(ids('tenant')).toEqual(['b', 'c', 'd']);
    expect(ids('site')).toEqual(['a']);
    expect(replica.rows('tenant', undefined, 1)[0]?.body).toBe('{"n":2}');
    expect(replica.standings()).toMatchObject({ tenant: { rev: 2, h: 'h2' }, site: { rev: 4 } });
  });

  it('lets a snapshot replace its scope', () => {
    change('tenant', 1, [put('a'), put('b')]);
    change('site', 1, [put('a')]);
    change('tenant', 5, [put('b'), put('z')], true);
    expect(ids('tenant')).toEqual(['b', 'z']);
    expect(ids('site')).toEqual(['a']);
  });

  it('shows the rows as they would be, and changes nothing until the commit', () => {
    change('tenant', 1, [put('a'), put('b')]);
    replica.beginStage('tenant', false);
    replica.stage([lost('a'), put('c')]);
    const after = replica.stagedHashes().map(({ id }) => id);
    expect(after.sort()).toEqual(['b', 'c']);
    expect(ids('tenant')).toEqual(['a', 'b']);
    replica.beginStage('tenant', true);
    replica.stage([put('x')]);
    expect(replica.stagedHashes().map(({ id }) => id)).toEqual(['x']);
    expect(ids('tenant')).toEqual(['a', 'b']);
  });

  it('reads on after a row', () => {
    change('tenant', 1, [put('a'), put('b'), put('a', {}, 'alarmbridge'), put('c')]);
    const first = replica.rows('tenant', undefined, 2);
    expect(first.map(({ entity, id }) => `${entity} ${id}`)).toEqual(['alarmbridge a', 'device a']);
    expect(replica.rows('tenant', first.at(-1), 9).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('is there after a crash in the middle of a change, without the half', () => {
    change('tenant', 1, [put('a')]);
    replica.beginStage('tenant', false);
    replica.stage([put('half')]);
    const second = openReplica(folder);
    expect(second.rows('tenant', undefined, 9).map(({ id }) => id)).toEqual(['a']);
    second.beginStage('tenant', false);
    expect(second.stagedHashes()).toHaveLength(1);
    second.close();
  });

  it('keeps a good copy beside and comes back to it, but for the twin', async () => {
    change('tenant', 1, [put('a')]);
    replica.keepTwin('first');
    await replica.keepGood();
    change('tenant', 2, [put('b'), lost('a')]);
    change('site', 1, [put('s')]);
    replica.keepTwin('second');
    expect(replica.goodStandings()?.tenant.rev).toBe(1);
    expect(replica.returnToGood()).toBe(true);
    expect(ids('tenant')).toEqual(['a']);
    expect(ids('site')).toEqual([]);
    expect(replica.standings()).toMatchObject({ tenant: { rev: 1 }, site: { rev: 0 } });
    expect(replica.twin()).toBe('second');
    change('tenant', 3, [put('c')]);
    await replica.keepGood();
    expect(replica.goodStandings()?.tenant.rev).toBe(3);
  });

  it('refuses a file of a newer program', () => {
    const other = mkdtempSync(join(tmpdir(), 'replica-'));
    const db = new Database(join(other, 'config.db'));
    db.pragma('user_version = 99');
    db.close();
    expect(() => openReplica(other)).toThrow(/schema 99/);
    writeFileSync(join(other, 'config.db'), 'not a database');
    expect(() => openReplica(other)).toThrow();
    rmSync(other, { recursive: true, force: true });
  });
});
