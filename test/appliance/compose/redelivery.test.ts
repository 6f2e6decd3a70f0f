import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onSite } from '#appliance/compose/on-site.ts';
import { replayFile, takeReplay } from '#appliance/compose/redelivery.ts';
import type { OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { Redelivery } from '#appliance/delivery/redelivery.ts';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { outboxOperations } from '#appliance/site/remote/index.ts';

let folder: string;
let journal: Awaited<ReturnType<typeof openJournal>>;
let redelivery: Redelivery;
let sent: string[];
let logged: string[];
const log = (level: string, event: string): void => void logged.push(`${level} ${event}`);

const id = (n: number) => `01jc7z5t3k9q8w6m4n2p0r${String(n).padStart(4, '0')}`;
const row = (n: number, changes: Partial<OutboxRow> = {}): OutboxRow => ({
  id: id(n),
  seq: n,
  lane: 'alarm',
  tenant: 'care.example',
  dest: 'bridge b',
  orderKey: 'a device',
  type: 'newAlarmbridgeEvent',
  body: '{"secret":"words"}',
  createdWall: 1_770_000_000_000 + n,
  createdMono: 1,
  boot: 1,
  epoch: 0,
  notBefore: 0,
  attempts: 3,
  deadline: 1,
  expirePolicy: 'record',
  state: 'dead',
  late: false,
  lastErr: 'answered 400',
  authIdx: 0,
  ...changes,
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-redelivery-'));
  journal = await openJournal({ file: join(folder, 'journal.db'), bootId: 'b' });
  await journal.commit([1, 2, 3].map((n) => ({ kind: 'outbox', row: row(n) }) as const));
  await journal.commit([{ kind: 'outbox', row: row(4, { state: 'new' }) }]);
  sent = [];
  logged = [];
  redelivery = new Redelivery(journal, { redeliver: (each) => sent.push(each.id) > 0 });
});
afterEach(async () => {
  await journal.close();
  rmSync(folder, { recursive: true });
});

it('lists what is still tried beside what was given up', () => {
  const list = outboxOperations(redelivery)['outbox.list'];
  const asked = (args: object) => list?.({ by: 'user:a', args: { ...args } });
  expect(asked({ state: 'waiting' })).toMatchObject({
    ok: true,
    value: { letters: [{ id: id(4), state: 'waiting' }] },
  });
  expect(asked({ state: 'waiting', after: 4 })).toMatchObject({ ok: true, value: { letters: [] } });
  expect(asked({})).toMatchObject({ value: { letters: [{ state: 'dead' }, { id: id(2) }, { id: id(3) }] } });
});

describe('a person on site', () => {
  it('sees what was given up while the appliance runs, and nothing of what it says', () => {
    const found = onSite.deadLetters(folder, 2);
    expect(found).toMatchObject({
      ok: true,
      value: [{ id: id(1), lastError: 'answered 400' }, { id: id(2) }],
    });
    expect(JSON.stringify(found)).not.toMatch(/words|a device/);
  });

  it('lays down a request, which is taken up once', () => {
    expect(onSite.replay(folder, [id(2), id(4), id(9)])).toEqual({ ok: true, value: null });
    expect(onSite.replayTaken(folder)).toBe(false);
    takeReplay(folder, redelivery, log);
    expect(sent).toEqual([id(2)]);
    expect(onSite.replayTaken(folder)).toBe(true);
    takeReplay(folder, redelivery, log);
    expect(sent).toHaveLength(1);
    onSite.replay(folder, undefined);
    takeReplay(folder, redelivery, log);
    expect(sent.slice(1)).toEqual([id(1), id(2), id(3)]);
  });

  it.each(['', '{', '{"ids":[]}', '{"ids":["../.."]}', '{"ids":"all"}', 'null'])(
    'sends nothing with the request %j, and is answered in the log',
    (text) => {
      writeFileSync(replayFile(folder), text);
      takeReplay(folder, redelivery, log);
      expect(sent).toEqual([]);
      expect(existsSync(replayFile(folder))).toBe(false);
      expect(logged).toEqual(['error dead_letter.request_damaged']);
    },
  );

  it('is answered where there is no appliance', () => {
    const nowhere = join(folder, 'nowhere');
    expect(onSite.deadLetters(nowhere, 1)).toMatchObject({ ok: false, error: { code: 'notFound' } });
    expect(onSite.replay(nowhere, undefined)).toMatchObject({ ok: false, error: { code: 'notFound' } });
    const damaged = mkdtempSync(join(tmpdir(), 'carillon-damaged-'));
    writeFileSync(join(damaged, 'journal.db'), 'this is no database at all, in no way');
    expect(onSite.deadLetters(damaged, 1)).toMatchObject({ ok: false, error: { code: 'unreadable' } });
    rmSync(damaged, { recursive: true });
  });
});

describe('the cloud', () => {
  const ask = (op: 'outbox.list' | 'outbox.replay', args: Record<string, unknown>) =>
    outboxOperations(redelivery)[op]({ v: 1, id: id(0), op, exp: 0, by: 'user:p', args } as never);

  it('lists in pages', () => {
    expect(ask('outbox.list', { limit: 2 })).toMatchObject({
      ok: true,
      value: { letters: [{ id: id(1) }, { id: id(2) }], after: 2 },
    });
    const last = ask('outbox.list', { after: 2, limit: 2 });
    expect(last).toMatchObject({ ok: true, value: { letters: [{ id: id(3) }] } });
    expect(last).not.toHaveProperty('value.after');
  });

  it('sends some or all again, and is refused what makes no sense', () => {
    expect(ask('outbox.replay', { ids: [id(3), id(4)] })).toEqual({ ok: true, value: { taken: 1 } });
    expect(ask('outbox.replay', {})).toEqual({ ok: true, value: { taken: 3 } });
    expect(ask('outbox.replay', { ids: [] })).toMatchObject({ ok: false, code: 'invalid' });
    expect(ask('outbox.list', { limit: 0 })).toMatchObject({ ok: false, code: 'invalid' });
  });
});
