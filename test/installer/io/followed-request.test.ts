import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFollowed, takeFollowed } from '#installer/io/file/followed-request.ts';

let folder: string;
let place: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-followed-'));
  place = join(folder, 'followed-wish.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = { twinRev: 7, networkInterfaces: ['10.0.0.5'] };

test('a request that was cut is found once', () => {
  expect(takeFollowed(place)).toBeUndefined();
  keepFollowed(request, place);
  keepFollowed({ ...request, twinRev: 8 }, place);
  expect(takeFollowed(place)).toEqual({ ...request, twinRev: 8 });
  expect(takeFollowed(place)).toBeUndefined();
});

test.each(['', '{', '{}', 'null', '{"twinRev":"7","networkInterfaces":[]}'])(
  'a damaged note (%j) does not say what was in progress',
  (text) => {
    writeFileSync(place, text);
    expect(takeFollowed(place)).toBeUndefined();
    keepFollowed(request, place);
    expect(takeFollowed(place)).toEqual(request);
  },
);

test('it is written through no link', () => {
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'as it was');
  symlinkSync(elsewhere, place);
  symlinkSync(elsewhere, `${place}.part`);
  keepFollowed(request, place);
  expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
  expect(takeFollowed(place)).toEqual(request);
});
