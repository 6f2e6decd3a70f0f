import { argon2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '#cloud/io/password/index.ts';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

describe('passwords', () => {
  test('are verified against their hash, and nothing else is', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    for (const wrong of ['correct horse ', 'Correct horse', '', 'correct hors'])
      expect(await verifyPassword(wrong, stored)).toBe(false);
  });

  test('a text of another cost is verified by its own cost', async () => {
    const nonce = Buffer.from('somesaltsomesalt');
    const tag = argon2Sync('argon2id', {
      message: 'secret',
      nonce,
      memory: 1024,
      passes: 3,
      parallelism: 2,
      tagLength: 32,
    });
    const stored = `$argon2id$v=19$m=1024,t=3,p=2$${base64(nonce)}$${base64(tag)}`;
    expect(await verifyPassword('secret', stored)).toBe(true);
    expect(await verifyPassword('secreu', stored)).toBe(false);
  });

  test('the same letters typed in another Unicode form are the same password', async () => {
    expect(await verifyPassword('pa\u0308ss', await hashPassword('p\u00e4ss'))).toBe(true);
  });

  test('nothing stored, and what was not written here: no, without an exception', async () => {
    const good = await hashPassword('x');
    for (const stored of [
      undefined,
      null,
      '',
      'plain',
      good.replace('argon2id', 'argon2i'),
      good.replace('m=19456', 'm=9999999'),
      good.replace('t=2', 't=0'),
      good.slice(0, -43),
    ])
      expect(await verifyPassword('x', stored)).toBe(false);
  });

  // Processor time: beside other work the wall says nothing.
  test('an unknown name and a wrong password take the same time', async () => {
    const stored = await hashPassword('right');
    const timed = async (of: string | undefined): Promise<number> => {
      const before = process.cpuUsage();
      await verifyPassword('wrong', of);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 9; i++) {
      known.push(await timed(stored));
      unknown.push(await timed(undefined));
    }
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
    expect(median(unknown) / median(known)).toBeLessThan(2);
  });
});
