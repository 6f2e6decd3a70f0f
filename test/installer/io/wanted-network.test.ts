import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeWantedNetwork } from '#installer/io/network/wanted-network.ts';

let folder: string;
let place: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-wanted-'));
  place = join(folder, 'network-request');
  mkdirSync(place);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = {
  v: 1,
  kind: 'network',
  twin: 'head.body.signature',
  keys: ['a.b.c'],
  at: 1_770_000_000_000,
};
const lay = (content: unknown, name = 'wanted.json') =>
  writeFileSync(join(place, name), typeof content === 'string' ? content : JSON.stringify(content));
/** With our own rights in place of the appliance's. */
const take = () => takeWantedNetwork(place, []);

describe('a request that the appliance lays before root', () => {
  test('is taken once, and nothing of it stays', async () => {
    expect(await take()).toEqual({ kind: 'none' });
    lay(request);
    expect(await take()).toEqual({ kind: 'taken', request });
    expect(readdirSync(place)).toEqual([]);
    expect(await take()).toEqual({ kind: 'none' });
  });

  test('names no keys when the program has none', async () => {
    const { keys: _, ...older } = request;
    lay(older);
    expect(await take()).toEqual({ kind: 'taken', request: { ...older, keys: [] } });
  });

  test('is the newest one: what a command that was cut had put aside counts no more', async () => {
    lay({ ...request, twin: 'older' }, 'taken.json');
    lay(request);
    expect(await take()).toEqual({ kind: 'taken', request });
    expect(readdirSync(place)).toEqual([]);
  });

  test('is none while its folder is not there', async () => {
    rmSync(place, { recursive: true });
    expect(await take()).toEqual({ kind: 'none' });
  });

  test.each([
    ['no JSON', 'addresses'],
    ['half a file', JSON.stringify(request).slice(0, 40)],
    ['nothing', ''],
    ['another kind', { ...request, kind: 'upgrade' }],
    ['another version', { ...request, v: 2 }],
    ['a twin that is none', { ...request, twin: 7 }],
    ['more statements of keys than any', { ...request, keys: Array.from({ length: 17 }, () => 'a.b.c') }],
    ['a twin longer than any', { ...request, twin: 'x'.repeat(16_385) }],
    ['more than is read of it', `${JSON.stringify(request)}${' '.repeat(60_000)}x`],
  ])('is damaged when it holds %s, and removed', async (_, content) => {
    lay(content);
    expect(await take()).toEqual({ kind: 'damaged' });
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('a link in the place of a request', () => {
  test('is read as what it leads to, and only the link goes', async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'what only root should read');
    symlinkSync(secret, join(place, 'wanted.json'));
    expect(await take()).toEqual({ kind: 'damaged' });
    expect(readFileSync(secret, 'utf8')).toBe('what only root should read');
    expect(readdirSync(place)).toEqual([]);
  });

  test('to nowhere is damaged and removed', async () => {
    symlinkSync(join(folder, 'nowhere'), join(place, 'wanted.json'));
    expect(await take()).toEqual({ kind: 'damaged' });
    expect(readdirSync(place)).toEqual([]);
  });

  test('where it is put aside is not followed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'kept'), '');
    symlinkSync(elsewhere, join(place, 'taken.json'));
    lay(request);
    expect(await take()).toEqual({ kind: 'taken', request });
    expect(readdirSync(elsewhere)).toEqual(['kept']);
  });

  test('or a whole folder goes without what it leads to', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'kept'), '');
    mkdirSync(join(place, 'wanted.json'));
    symlinkSync(elsewhere, join(place, 'wanted.json', 'link'));
    expect(await take()).toEqual({ kind: 'damaged' });
    expect(existsSync(join(elsewhere, 'kept'))).toBe(true);
    expect(readdirSync(place)).toEqual([]);
  });
});
