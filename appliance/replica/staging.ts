import {
  type ConfigFault,
  type HashedRow,
  type Manifest,
  type Operation,
  parsePage,
  resultHash,
  rowHash,
  type Sha256,
} from '#shared/contract/feed/index.ts';
import { readBody, readRemoval } from './entity.ts';
import { massChangeFault } from './mass-change.ts';
import type { ModelChange } from './tenant-model.ts';

/** A page that may be staged, and what it means to the engines. */
export type ReadPage =
  | {
      readonly operations: readonly Operation[];
      readonly changes: readonly ModelChange[];
      readonly faults?: never;
    }
  | { readonly faults: readonly ConfigFault[] };

/** Most faults that one NACK names. */
const FAULT_LIMIT = 20;

/** Reads one page: every line an operation, every body hashed and valid. */
export function readPage(text: string, sha256: Sha256): ReadPage {
  const operations = parsePage(text);
  if (operations === undefined) {
    return { faults: [{ code: 'invalid', path: '', msg: 'a line of the page is no operation' }] };
  }
  const changes: ModelChange[] = [];
  const faults: ConfigFault[] = [];
  for (const operation of operations) {
    const { entity, id } = operation;
    if (operation.op === 'delete') {
      const removal = readRemoval(entity, id);
      if (removal !== undefined) changes.push(removal);
      continue;
    }
    if (rowHash(operation.body, sha256) !== operation.rowHash) {
      faults.push({
        code: 'rowHash',
        path: `/${entity}/${id}`,
        msg: 'the body has another hash than it says',
      });
      continue;
    }
    const read = readBody(entity, id, operation.body);
    if (read.faults !== undefined) faults.push(...read.faults);
    else if (read.change !== undefined) changes.push(read.change);
  }
  return faults.length > 0 ? { faults: faults.slice(0, FAULT_LIMIT) } : { operations, changes };
}

/** `mismatch`: our rows are not the cloud's, and a snapshot will say what they are. */
export type Verdict =
  | { readonly kind: 'good' }
  | { readonly kind: 'mismatch'; readonly found: string }
  | { readonly kind: 'fault'; readonly fault: ConfigFault };

/** Judges the whole change before it is committed. */
export function judgeStaged(
  manifest: Manifest,
  before: readonly HashedRow[],
  after: readonly HashedRow[],
  sha256: Sha256,
): Verdict {
  const found = resultHash(after, sha256);
  if (found !== manifest.resultHash) return { kind: 'mismatch', found };
  const fault = manifest.massChange ? undefined : massChangeFault(before, after);
  return fault === undefined ? { kind: 'good' } : { kind: 'fault', fault };
}

/** Rows that were there and will not be: a snapshot names only what stays. */
export function removalsOf(before: readonly HashedRow[], after: readonly HashedRow[]): ModelChange[] {
  const stays = new Set(after.map(({ entity, id }) => `${entity}\n${id}`));
  return before
    .filter(({ entity, id }) => !stays.has(`${entity}\n${id}`))
    .map(({ entity, id }) => readRemoval(entity, id))
    .filter((change) => change !== undefined);
}
