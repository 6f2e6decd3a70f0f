import { beforeEach, expect, it } from 'vitest';
import type { Journal, JournalWrite, OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { RING_COMMITS } from '#appliance/delivery/outbox/index.ts';
import { noCopies, siteJournal } from '#appliance/site/host/peer/site-journal.ts';

const row = (id: string) => ({ id, lane: 'alarm', dest: 'bridge b1', state: 'new' }) as OutboxRow;
const alarm = (id: string): JournalWrite[] => [{ kind: 'outbox', row: row(id) }];
const idOf = (write: JournalWrite): string =>
  write.kind === 'outbox' ? write.row.id : write.kind === 'outboxChange' ? write.id : '';
const done = (id: string): JournalWrite => ({ kind: 'outboxChange', id, atMs: 0, change: { state: 'done' } });

let broken: boolean;
let written: string[];
let held: string[];
let copied: string[];
let holder: number;
let disk: Journal;
beforeEach(() => {
  broken = false;
  holder = 1;
  written = [];
  held = [];
  copied = [];
  disk = {
    commit: async (writes: readonly JournalWrite[]) => {
      if (broken) throw new Error('no space left on device');
      for (const write of writes) written.push(`${write.kind} ${idOf(write)}`);
    },
  } as unknown as Journal;
});

const journal = (there: boolean | undefined = undefined) =>
  siteJournal({
    journal: disk,
    log: () => undefined,
    onHeld: ({ id }) => held.push(id),
    copies:
      there === undefined
        ? noCopies
        : {
            available: () => true,
            holder: () => holder,
            copy: async (writes) => {
              copied.push(...writes.map(({ kind }) => kind));
              return there;
            },
            note: (writes) => copied.push(...writes.map(({ kind }) => `later ${kind}`)),
          },
  });

it('a host that is alone writes to its disk and nowhere else', async () => {
  await journal().commit(alarm('a1'));
  expect(written).toEqual(['outbox a1']);
});

it('with another host the rows are on both, and what only follows is sent later', async () => {
  const both = journal(true);
  await both.commit(alarm('a1'));
  await both.commit([done('a1')]);
  expect(copied).toEqual(['outbox', 'later done']);
  expect(written).toEqual(['outbox a1', 'outboxChange a1']);
});

it('an other host that does not confirm in time does not hold an alarm up', async () => {
  await journal(false).commit(alarm('a1'));
  expect(written).toEqual(['outbox a1']);
});

it('without disk and without another host an alarm is refused, and delivered from memory', async () => {
  broken = true;
  const alone = journal();
  await expect(alone.commit(alarm('a1'))).rejects.toThrow(/no space/);
  expect(held).toEqual(['a1']);
  // A message about the row alone is no promise.
  await alone.commit([done('a1')]);
  broken = false;
  await alone.commit(alarm('a2'));
  expect(written).toEqual(['outbox a1', 'outboxChange a1', 'outbox a2']);
});

it('without disk an alarm is kept when another host has it', async () => {
  broken = true;
  await journal(true).commit(alarm('a1'));
  expect(held).toEqual([]);
  await expect(journal(false).commit(alarm('a2'))).rejects.toThrow(/no space/);
  expect(held).toEqual(['a2']);
});

it('the memory has an end: what comes then is refused and not held', async () => {
  broken = true;
  const alone = journal();
  for (let n = 0; n < RING_COMMITS; n++) await alone.commit(alarm(`a${n}`)).catch(() => undefined);
  expect(held).toHaveLength(RING_COMMITS);
  await expect(alone.commit(alarm('late'))).rejects.toThrow();
  await expect(alone.commit([done('late')])).rejects.toThrow();
  expect(held).toHaveLength(RING_COMMITS);
});

it('a commit that was in progress as another host came is sent to it', async () => {
  const both = journal(true);
  await both.commit([done('a1')]);
  expect(copied).toEqual(['later done']);
  copied = [];
  const { commit } = disk;
  disk.commit = async (writes) => {
    holder++;
    await commit(writes);
  };
  await both.commit([done('a2')]);
  expect(copied).toEqual(['later done', 'later done']);
});
