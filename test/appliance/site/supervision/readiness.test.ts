import { expect, it } from 'vitest';
import { watchedJournal } from '#appliance/io/sqlite/index.ts';
import { freeBytesOf } from '#appliance/io/system/index.ts';
import { readinessFaults } from '#appliance/site/supervision/index.ts';

const site = { identity: { domain: 'a.test' }, configured: true } as unknown as Parameters<
  typeof readinessFaults
>[0];
const GIB = 1024 ** 3;

function journalThat(fails: { now: boolean }, clock: { now: number }) {
  const commit = async () => {
    if (fails.now) throw new Error('journal not written: database or disk is full');
  };
  return watchedJournal({ commit } as unknown as Parameters<typeof watchedJournal>[0], () => clock.now);
}

it('a commit that failed is a reason until one succeeds, also when the next alarm is let through as a probe', async () => {
  const fails = { now: true };
  const clock = { now: 0 };
  const { journal, fault, storable } = journalThat(fails, clock);
  const faults = () => readinessFaults(site, { fault, freeBytes: () => GIB }, []);
  expect(faults()).toEqual([]);
  await expect(journal.commit([])).rejects.toThrow();
  clock.now = 5_000;
  expect(storable()).toBe(true);
  expect(faults()).toEqual(['journal not written: database or disk is full']);
  fails.now = false;
  await journal.commit([]);
  expect(faults()).toEqual([]);
});

it('a full disk is a reason before anything was written', () => {
  const fault = () => undefined;
  expect(readinessFaults(site, { fault, freeBytes: () => 300 * 1024 }, [])).toEqual([
    'the disk is full: 300 KiB are free; free disk space',
  ]);
  expect(readinessFaults(site, { fault, freeBytes: () => undefined }, [])).toEqual([]);
});

it('free bytes are those of the file system of a folder', () => {
  expect(freeBytesOf('/')).toBeGreaterThan(0);
  expect(freeBytesOf('/no/such/folder')).toBeUndefined();
});
