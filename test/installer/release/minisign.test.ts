import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  compareVersions,
  readSignature,
  releaseKeys,
  releaseNote,
  verifySignature,
} from '#installer/release/index.ts';

const KEY_ID = Buffer.from('0102030405060708', 'hex');
const content = Buffer.from('a program');
const digest = (bytes: Uint8Array) => createHash('blake2b512').update(bytes).digest();
const NOTE = 'version=1.2.3 cpu=x64 channel=stable';

function pair(): { readonly line: string; readonly secret: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { line: Buffer.concat([Buffer.from('Ed'), KEY_ID, raw]).toString('base64'), secret: privateKey };
}

function signed(secret: KeyObject, comment = NOTE, form = 'ED'): string {
  const signature = sign(null, digest(content), secret);
  const together = sign(null, Buffer.concat([signature, Buffer.from(comment)]), secret);
  const first = Buffer.concat([Buffer.from(form), KEY_ID, signature]).toString('base64');
  return `untrusted comment: x\n${first}\ntrusted comment: ${comment}\n${together.toString('base64')}\n`;
}

const { line, secret } = pair();
const keys = releaseKeys(`# comment\nuntrusted comment: minisign public key\n${line}\n`);

function verdict(file: Uint8Array, signature: string): string {
  const read = readSignature(signature);
  if (!read.ok) return read.error.reason;
  const verified = verifySignature(digest(file), read.value, keys);
  return verified.ok ? verified.value : verified.error.reason;
}

describe('a signed release', () => {
  test('is taken, and its trusted comment believed', () => {
    expect(verdict(content, signed(secret))).toBe(NOTE);
    expect(releaseNote(NOTE)).toEqual({
      ok: true,
      value: { version: '1.2.3', cpu: 'x64', channel: 'stable' },
    });
  });

  test('is refused when a byte of it, of its signature or of its comment is another', () => {
    expect(verdict(Buffer.from('a Program'), signed(secret))).toContain('does not fit');
    expect(verdict(content, signed(secret).replace('1.2.3', '9.9.9'))).toContain('was altered');
    expect(verdict(content, signed(pair().secret))).toContain('does not fit');
    const text = signed(secret);
    const lines = text.split('\n');
    const bytes = Buffer.from(lines[1] ?? '', 'base64');
    for (let at = 10; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const damaged = [lines[0], changed.toString('base64'), ...lines.slice(2)].join('\n');
      expect(verdict(content, damaged), `byte ${at}`).toContain('does not fit');
    }
  });

  test('is refused when its key is unknown, or its form is the older one', () => {
    const read = readSignature(signed(secret));
    expect(read.ok && verifySignature(digest(content), read.value, [])).toMatchObject({ ok: false });
    expect(verdict(content, signed(secret, NOTE, 'Ed'))).toContain('form');
  });

  test.each(['', 'x', 'a\nb\nc\nd\n', signed(secret).split('\n').slice(0, 2).join('\n')])(
    'is refused when the signature file is damaged: %j',
    (text) => {
      expect(verdict(content, text)).toContain('damaged');
    },
  );

  test.each(['', 'version=1.2 cpu=x64', 'cpu=x64', 'version:1.2.3 cpu:x64', 'version=../../x cpu=x64'])(
    'is refused when it does not say what it is: %j',
    (comment) => {
      expect(releaseNote(comment).ok).toBe(false);
    },
  );

  test('knows its order', () => {
    const order = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0',
      '1.0.1',
      '1.10.0',
    ];
    for (const [at, version] of order.entries()) {
      expect(compareVersions(version, version)).toBe(0);
      for (const later of order.slice(at + 1)) {
        expect(compareVersions(version, later), `${version} < ${later}`).toBeLessThan(0);
        expect(compareVersions(later, version)).toBeGreaterThan(0);
      }
    }
  });

  test('refuses a key file that holds something else', () => {
    expect(() => releaseKeys('RWnonsense')).toThrow('no public key');
  });
});
