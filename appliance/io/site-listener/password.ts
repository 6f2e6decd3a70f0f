import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** The form of a password in the replica: argon2id in PHC form, cost as the cloud chose it (RFC 9106). */
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
/** A stored text that asks for more would let one row stop the host. */
const MOST_MEMORY_KIB = 262_144;
const MOST_PASSES = 16;

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly nonce: Buffer;
  readonly tag: Buffer;
}

/** Compared with where nothing is stored, so that the answer takes as long. No password has this tag. */
const NO_ACCOUNT: Cost = {
  memory: 19_456,
  passes: 2,
  parallelism: 1,
  nonce: randomBytes(16),
  tag: randomBytes(32),
};

/** Is `password` the one behind the stored text? Without one: false, after the same time. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const known = stored === undefined ? undefined : costOf(stored);
  const { tag, ...cost } = known ?? NO_ACCOUNT;
  const made = await derive('argon2id', {
    message: password.normalize('NFKC'),
    tagLength: tag.length,
    ...cost,
  });
  return timingSafeEqual(made, tag) && known !== undefined;
}

function costOf(phc: string): Cost | undefined {
  const [, memory, passes, parallelism, salt = '', sum = ''] = FORM.exec(phc) ?? [];
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(sum, 'base64'),
  };
  const legal =
    cost.parallelism >= 1 &&
    cost.passes >= 1 &&
    cost.passes <= MOST_PASSES &&
    cost.memory >= 8 * cost.parallelism &&
    cost.memory <= MOST_MEMORY_KIB &&
    cost.nonce.length >= 8 &&
    cost.tag.length >= 16;
  return legal ? cost : undefined;
}
