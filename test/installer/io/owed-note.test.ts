import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { owedNotes, oweNote, paidNote } from '#installer/io/file/owed-note.ts';
import type { HostNote } from '#shared/contract/feed/index.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'carillon-owed-')), 'owed');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const upgrade = { kind: 'upgrade', file: 'f', by: 'me', code: 4, sentence: '', release: '1.0.0' } as const;
const network: HostNote = {
  kind: 'network',
  twinRev: 7,
  networkInterfaces: ['10.0.0.5'],
  networkPrefixLength: 24,
  code: 4,
  sentence: 'cut',
};
const file = (kind: string): string => join(folder, `${kind}.json`);

/** As if another process had left it. */
function left(kind: string, change: Readonly<Record<string, unknown>>): void {
  writeFileSync(file(kind), JSON.stringify({ ...JSON.parse(readFileSync(file(kind), 'utf8')), ...change }));
}

test('a note is owed until it is delivered, one of each kind', () => {
  expect(owedNotes(folder)).toEqual([]);
  oweNote(upgrade, folder);
  oweNote(network, folder);
  oweNote({ ...upgrade, file: 'g' }, folder);
  expect(owedNotes(folder)).toEqual([network, { ...upgrade, file: 'g' }]);
  paidNote('upgrade', folder);
  paidNote('selfTest', folder);
  expect(owedNotes(folder)).toEqual([network]);
});

test('a note that a process works on is left alone until that has ended or the machine was started again', async () => {
  const worker = spawn('sleep', ['60']);
  oweNote(upgrade, folder);
  left('upgrade', { pid: worker.pid });
  expect(owedNotes(folder)).toEqual([]);
  left('upgrade', { boot: 'another start' });
  expect(owedNotes(folder)).toEqual([upgrade]);
  oweNote(upgrade, folder);
  left('upgrade', { pid: worker.pid });
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
  expect(owedNotes(folder)).toEqual([upgrade]);
});

test.each(['', '{', '{}', '{"note":{"kind":"other"}}'])('a damaged note (%j) is dropped', (text) => {
  mkdirSync(folder);
  writeFileSync(file('upgrade'), text);
  expect(owedNotes(folder)).toEqual([]);
  expect(existsSync(file('upgrade'))).toBe(false);
});

test('it is for root alone, and whole', () => {
  oweNote(upgrade, folder);
  expect(readdirSync(folder)).toEqual(['upgrade.json']);
});
