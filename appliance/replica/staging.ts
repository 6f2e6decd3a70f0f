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
import { referencesOf } from '#shared/contract/provisioning/index.ts';
import { readBody, readRemoval } from './entity.ts';
import { massChangeFault } from './mass-change.ts';
import type { KeyRing } from './sealed-row.ts';
import type { ModelChange } from './tenant-model.ts';

/** The key ring of a scope that holds no secrets; sealed text is taken as it stands, and its row then has another hash. */
const NOTHING_SEALED: Pick<KeyRing, 'opened'> = { opened: (_, body) => ({ body }) };

/** Most faults that one NACK names. */
const FAULT_LIMIT = 20;

/** The meaning of the last operation on a row; neither member = nothing to the engines. */
interface Meaning {
  readonly change?: ModelChange | undefined;
  readonly faults?: readonly ConfigFault[];
}

/**
 * The operations of one change, page by page. Only the last word on each row counts: a delta over several revisions may
 * carry a body that was wrong and has been put right since.
 */
export class StagedReading {
  readonly #sha256: Sha256;
  readonly #before: ReadonlyMap<string, string>;
  readonly #keys: Pick<KeyRing, 'opened'>;
  readonly #meanings = new Map<string, Meaning>();

  /** `before`: the live rows; what is put again as it stands changes nothing. */
  constructor(before: readonly HashedRow[], sha256: Sha256, keys: Pick<KeyRing, 'opened'> = NOTHING_SEALED) {
    this.#sha256 = sha256;
    this.#keys = keys;
    this.#before = new Map(before.map((row) => [keyOf(row), row.rowHash]));
  }

  /** Reads one page; its operations with their secrets opened, or undefined when a line is none. */
  add(text: string): readonly Operation[] | undefined {
    return parsePage(text)?.map((operation) => {
      if (operation.op === 'delete') {
        this.#meanings.set(keyOf(operation), this.#meaning(operation));
        return operation;
      }
      const { body, fault } = this.#keys.opened(operation, operation.body);
      const opened = { ...operation, body };
      this.#meanings.set(keyOf(operation), fault ? { faults: [fault] } : this.#meaning(opened));
      return opened;
    });
  }

  /** To be asked once every page is read: a row may name one that comes later. */
  get faults(): readonly ConfigFault[] {
    const faults = [...this.#meanings.values()].flatMap(({ faults }) => faults ?? []);
    return [...faults, ...this.#danglingReferences()].slice(0, FAULT_LIMIT);
  }

  get changes(): readonly ModelChange[] {
    return [...this.#meanings.values()].map(({ change }) => change).filter((change) => change !== undefined);
  }

  *#danglingReferences(): Generator<ConfigFault> {
    for (const { change } of this.#meanings.values()) {
      if (change?.op !== 'put') continue;
      for (const { path, entity, id } of referencesOf(change.entity, change.body)) {
        if (this.#willBeThere({ entity, id })) continue;
        const msg = `there is no ${entity} ${id}`;
        yield { code: 'reference', path: `/${change.entity}/${change.id}${path}`, msg };
      }
    }
  }

  #willBeThere(row: { readonly entity: string; readonly id: string }): boolean {
    const staged = this.#meanings.get(keyOf(row));
    return staged === undefined ? this.#before.has(keyOf(row)) : staged.change?.op !== 'remove';
  }

  #meaning(operation: Operation): Meaning {
    const { entity, id } = operation;
    if (operation.op === 'delete') return { change: readRemoval(entity, id) };
    if (rowHash(operation.body, this.#sha256) !== operation.rowHash) {
      const msg = 'the body has another hash than it says';
      return { faults: [{ code: 'rowHash', path: `/${entity}/${id}`, msg }] };
    }
    const meaning = readBody(entity, id, operation.body);
    const asBefore = this.#before.get(keyOf(operation)) === operation.rowHash;
    return meaning.faults === undefined && asBefore ? {} : meaning;
  }
}

const keyOf = ({ entity, id }: { readonly entity: string; readonly id: string }): string =>
  `${entity}\n${id}`;

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
  const stays = new Set(after.map(keyOf));
  return before
    .filter((row) => !stays.has(keyOf(row)))
    .map(({ entity, id }) => readRemoval(entity, id))
    .filter((change) => change !== undefined);
}
