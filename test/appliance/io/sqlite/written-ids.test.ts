import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WrittenIds } from '#appliance/io/sqlite/database/written-ids.ts';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import { ulid } from '#shared/id.ts';
import { seededBytes } from '../../sip/endpoint/stage.ts';
import { outbox, session } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const T0 = 1_770_000_000_000;

/** Ids of one moment, as alarms of one period have them. */
function idsOf(seed: number, count: number, atMs = T0): readonly string[] {
  const random = seededBytes(seed);
  return Array.from({ length: count }, () => ulid(atMs, random(10)));
}

describe('the ids of a table', () => {
  it('that were written may be there, every one; of others nearly none is asked for', () => {
    const written = new WrittenIds('');
    const ids = idsOf(1, 200_000);
    for (const id of ids) written.add(id);
    expect(ids.filter((id) => !written.mayHave(id))).toEqual([]);
    const asked = idsOf(2, 20_000).filter((id) => written.mayHave(id)).length;
    expect(asked).toBeLessThan(20_000 / 40);
  });

  it('may stem from earlier runs, up to the newest of them', () => {
    const [before = ''] = idsOf(3, 1, T0);
    const written = new WrittenIds(before);
    expect(written.mayHave(before)).toBe(true);
    expect(idsOf(4, 100, T0 - 1).filter((id) => !written.mayHave(id))).toEqual([]);
    expect(idsOf(4, 100, T0 + 1).filter((id) => written.mayHave(id))).toEqual([]);
  });

  it('that no longer fit into the filter are asked for like those of earlier lives', () => {
    const written = new WrittenIds('', 100);
    const ids = idsOf(5, 1_000);
    for (const id of ids) written.add(id);
    expect(ids.filter((id) => !written.mayHave(id))).toEqual([]);
    expect(idsOf(6, 100, T0 + 1).filter((id) => written.mayHave(id))).toEqual([]);
  });
});

describe('the journal', () => {
  const folder = tempFolders();
  const open: OpenJournal[] = [];
  afterEach(async () => {
    for (const journal of open.splice(0)) await journal.close();
  });
  const journalIn = async (file: string): Promise<OpenJournal> => {
    const journal = await openJournal({ file, bootId: 'boot-a' });
    open.push(journal);
    return journal;
  };

  it('finds a row by its id, of this life and of an earlier one, and no other', async () => {
    const file = join(folder(), 'journal.db');
    const [old = '', young = '', absent = ''] = idsOf(7, 3);
    const first = await journalIn(file);
    await first.commit([session(1, { id: old }), outbox(first.nextSeq(), { id: old })]);
    expect([first.session(old)?.id, first.outboxRow(old)?.id]).toEqual([old, old]);
    await open.pop()?.close();
    const second = await journalIn(file);
    await second.commit([session(2, { id: young }), outbox(second.nextSeq(), { id: young })]);
    for (const id of [old, young])
      expect([second.session(id)?.id, second.outboxRow(id)?.id]).toEqual([id, id]);
    expect([second.session(absent), second.outboxRow(absent)]).toEqual([undefined, undefined]);
  });
});
