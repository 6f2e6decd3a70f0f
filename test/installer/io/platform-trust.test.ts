import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firstTrust, forgetTrust, keepTrust, keptTrust } from '#installer/io/file/platform-trust.ts';
import type { HostOfSite } from '#installer/technician-program.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-trust-'));
  file = join(folder, 'update', 'platform.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43), kid: 'first' } as const;
const trust = { uid: '01juid0000000000000000000u', verifyKeys: [key], twinRev: 7 };

describe("root's copy of whom it follows", () => {
  test('is there again after it was kept, for root alone', () => {
    expect(keptTrust(file)).toBeUndefined();
    keepTrust(trust, file);
    expect(keptTrust(file)).toEqual(trust);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(existsSync(`${file}.part`)).toBe(false);
    keepTrust({ ...trust, twinRev: 8 }, file);
    expect(keptTrust(file)?.twinRev).toBe(8);
  });

  test('has followed no twin on a host just enrolled', () => {
    const host = { uid: trust.uid, verifyKeys: [key], domain: 'care.example' } as unknown as HostOfSite;
    expect(firstTrust(host)).toEqual({ ...trust, twinRev: 0 });
  });

  test('may be forgotten, also where there is none', () => {
    keepTrust(trust, file);
    forgetTrust(file);
    forgetTrust(file);
    expect(keptTrust(file)).toBeUndefined();
  });

  test.each([
    ['no JSON', 'trust'],
    ['half of it', JSON.stringify(trust).slice(0, 60)],
    ['no keys', JSON.stringify({ ...trust, verifyKeys: 'first' })],
    ['no host', JSON.stringify({ ...trust, uid: 7 })],
    ['no revision', JSON.stringify({ ...trust, twinRev: '7' })],
    ['nothing', ''],
    ['null', 'null'],
  ])('that was altered and holds %s makes no key believed, and says what to do', (_, text) => {
    keepTrust(trust, file);
    writeFileSync(file, text);
    expect(() => keptTrust(file)).toThrow(/damaged: run carillon network trust/);
    // A person on site makes it whole again.
    keepTrust(trust, file);
    expect(keptTrust(file)).toEqual(trust);
  });

  test('that cannot be read is no host without trust', () => {
    keepTrust(trust, file);
    expect(() => keptTrust(dirname(file))).toThrow();
  });

  test('takes the place of a link, and does not write where that leads', () => {
    keepTrust(trust, file);
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'as it was');
    rmSync(file);
    symlinkSync(elsewhere, file);
    keepTrust(trust, file);
    expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
    expect(keptTrust(file)).toEqual(trust);
    // Nor through one that lies where the new text is written first.
    symlinkSync(elsewhere, `${file}.part`);
    keepTrust({ ...trust, twinRev: 9 }, file);
    expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
    expect(keptTrust(file)?.twinRev).toBe(9);
  });
});
