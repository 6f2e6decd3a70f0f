import { argon2Sync, randomBytes } from 'node:crypto';

const COST = { memory: 64, passes: 1, parallelism: 1 } as const;

const plain = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/**
 * The stored text of a password, made with a thousandth of the work: verified as any other, since it says its cost. The cost of the
 * product is 40 ms of the processor for each person who is made or signs in, and has tests of its own.
 */
export async function hashQuickly(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: 32, ...COST });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(tag)}`;
}
