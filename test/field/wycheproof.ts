import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactVerify, importJWK } from 'jose';
import { readPublicKey } from '#cloud/io/token/public-key.ts';
import { createVerify } from '#cloud/io/token/verify-token.ts';
import type { KeyAlgorithm } from '#cloud/store/index.ts';
import type { PublicJwk } from '#cloud/tenant/index.ts';
import type { Row } from './support/table.ts';

const FILES = ['json_web_signature_test.json', 'json_web_crypto_test.json', 'json_web_key_test.json'];
/** The algorithms that a tenant may register a key for. */
const OURS: readonly KeyAlgorithm[] = ['RS256', 'ES256', 'EdDSA'];
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];

interface Key {
  readonly kty?: string;
  readonly alg?: string;
  readonly [member: string]: unknown;
}
interface Vector {
  readonly tcId: number;
  readonly comment: string;
  readonly jws: unknown;
  readonly result: 'valid' | 'invalid';
}
interface Group {
  readonly comment: string;
  readonly public?: Key;
  readonly private?: Key & { readonly keys?: readonly Key[] };
  readonly tests: readonly Vector[];
}

/** Signatures of the Project Wycheproof, each against every key of its group as a tenant would register it. */
export async function wycheproof(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const file of FILES) {
    const { testGroups } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { testGroups: Group[] };
    for (const group of testGroups)
      for (const vector of group.tests) rows.push(await judged(`${file} ${vector.tcId}`, group, vector));
  }
  return rows;
}

async function judged(file: string, group: Group, vector: Vector): Promise<Row> {
  const name = `${file} ${group.comment} ${vector.comment}`;
  if (typeof vector.jws !== 'string')
    return { name, verdict: 'not applicable', answer: '', reason: 'no compact signature' };
  const keys = await registered(group);
  const takers: string[] = [];
  for (const [alg, jwk] of keys) {
    // The claims of the vectors are no JSON, so the whole check refuses each of them; what its signature check says is asked first.
    if (await isSigned(vector.jws, jwk, alg)) takers.push(alg);
    const whole = await createVerify()(vector.jws, jwk, alg, Date.now());
    if (whole.ok) takers.push(`${alg} with claims`);
  }
  const answer = `${keys.length} keys registered; signature accepted by ${takers.join(', ') || 'none'}`;
  if (vector.result === 'invalid')
    return { name, verdict: takers.length === 0 ? 'as expected' : 'differs', answer };
  if (takers.length > 0) return { name, verdict: 'as expected', answer };
  return keys.length === 0
    ? { name, verdict: 'not applicable', answer, reason: 'the algorithm is none that a tenant may register' }
    : { name, verdict: 'differs', answer };
}

/** Every key of the group that may be registered, for each algorithm that takes it: whatever the key's own `alg` says. */
async function registered({ public: open, private: secret }: Group): Promise<[KeyAlgorithm, PublicJwk][]> {
  const all = open === undefined ? (secret?.keys ?? (secret === undefined ? [] : [secret])) : [open];
  const taken: [KeyAlgorithm, PublicJwk][] = [];
  for (const key of all) {
    const shown = Object.fromEntries(
      Object.entries(key).filter(([member]) => !PRIVATE_MEMBERS.includes(member)),
    );
    for (const alg of OURS) {
      const read = await readPublicKey(alg, shown as never);
      if (read.ok) taken.push([alg, read.value]);
    }
  }
  return taken;
}

/** As `createVerify` asks: by the registered algorithm alone. */
async function isSigned(token: string, jwk: PublicJwk, alg: KeyAlgorithm): Promise<boolean> {
  try {
    const algorithms = alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [alg];
    await compactVerify(token, await importJWK({ ...jwk }, alg), { algorithms });
    return true;
  } catch {
    return false;
  }
}
