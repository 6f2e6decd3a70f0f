import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** RFC 9106 4, second recommended option, with memory for a small host: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

/** A stored text that asks for more than this was not written here. */
const MOST = { memory: 262_144, passes: 16, parallelism: 8, bytes: 64 } as const;

interface Stored {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly nonce: Buffer;
  readonly tag: Buffer;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

const message = (password: string): string => password.normalize('NFKC');

/** argon2id in PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_LENGTH);
  const tag = await derive('argon2id', {
    message: message(password),
    nonce,
    tagLength: TAG_LENGTH,
    ...COST,
  });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Compared with where nothing is stored, so that the answer takes as long. No password has this tag. */
const NO_ACCOUNT: Stored = { ...COST, nonce: randomBytes(SALT_LENGTH), tag: randomBytes(TAG_LENGTH) };

/**
 * Whether `password` is the one behind the stored text. `stored` undefined, null or damaged: false, after the same time
 * as a wrong password.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = stored === null || stored === undefined ? undefined : parsed(stored);
  const { memory, passes, parallelism, nonce, tag } = known ?? NO_ACCOUNT;
  const made = await derive('argon2id', {
    message: message(password),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: tag.length,
  });
  return timingSafeEqual(made, tag) && known !== undefined;
}

const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parsed(phc: string): Stored | undefined {
  const [, memory, passes, parallelism, salt = '', sum = ''] = FORM.exec(phc) ?? [];
  const stored = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(sum, 'base64'),
  };
  return isBounded(stored) ? stored : undefined;
}

/** RFC 9106 3.1: memory at least 8 blocks a lane, salt at least 8 bytes, tag at least 4. */
function isBounded({ memory, passes, parallelism, nonce, tag }: Stored): boolean {
  return (
    parallelism >= 1 &&
    parallelism <= MOST.parallelism &&
    passes >= 1 &&
    passes <= MOST.passes &&
    memory >= 8 * parallelism &&
    memory <= MOST.memory &&
    nonce.length >= 8 &&
    nonce.length <= MOST.bytes &&
    tag.length >= 16 &&
    tag.length <= MOST.bytes
  );
}
