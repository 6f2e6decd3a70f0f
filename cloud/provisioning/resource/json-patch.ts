// CommonJS: only the default import exists when Node runs it.
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { JsonPatch, Patch } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Overrun, PatchLedger, type PatchLimit } from './patch-ledger.ts';

type Step = JsonPatch[number];

/** Applies a patch in either form to a copy of `document`: a list is RFC 6902, an object RFC 7396. */
export const patched = (document: unknown, patch: Patch, limit?: PatchLimit): Result<unknown> =>
  Array.isArray(patch) ? patchedBy(document, patch as JsonPatch, limit) : ok(merged(document, patch));

/** RFC 7396 2; the contract refuses names of prototypes. */
function merged(document: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return structuredClone(patch);
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  const result: Record<string, unknown> = isObject ? { ...document } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  return result;
}

/**
 * Applies RFC 6902 to a copy of `document`: all operations or none. Fails with `testFailed`, with `invalid` when an
 * operation has no place to act, or with `tooLarge` before the operation that would pass the limit. Pointers were
 * checked by the contract (escapes, prototype names).
 */
function patchedBy(document: unknown, patch: JsonPatch, limit?: PatchLimit): Result<unknown> {
  let result: unknown = structuredClone(document);
  const ledger = new PatchLedger(result, limit);
  for (const [index, operation] of patch.entries()) {
    const steps = stepsOf(result, operation);
    const moved = steps.length > 1 ? ledger.countMove(movedOf(steps)) : null;
    if (moved !== null) return refuse(index, moved);
    for (const step of steps) {
      const misplaced = misplacement(result, step) ?? overrun(ledger, result, step);
      if (misplaced !== null) return refuse(index, misplaced);
      try {
        // Values are copied, or a later operation would change the request. A moved one stands nowhere else any more.
        const own = steps.length > 1 ? step : structuredClone(step);
        result = jsonPatch.applyOperation(result, own as Operation, true, true, true, index).newDocument;
      } catch (error) {
        if (!(error instanceof jsonPatch.JsonPatchError)) throw error;
        if (error.name !== 'TEST_OPERATION_FAILED')
          return refuse(index, misfit(`cannot be applied (${error.name})`));
        const reason = `The patch is not applied: the test of operation ${index} failed, because ${step.path} has another value. Read the resource again.`;
        return fail('testFailed', reason, `/${index}`);
      }
    }
  }
  return ok(result);
}

/** The value that a move takes from one place to the other. */
const movedOf = (steps: readonly Step[]): unknown => {
  const last = steps.at(-1);
  return last !== undefined && 'value' in last ? last.value : undefined;
};

const misfit = (reason: string): Overrun => ({ code: 'invalid', reason });

const refuse = (index: number, { code, reason }: Overrun) => fail(code, `/${index}: ${reason}`, `/${index}`);

/** Why the step is too much for the document, or null. */
function overrun(ledger: PatchLedger, document: unknown, step: Step): Overrun | null {
  const parts = partsOf(step.path);
  const value = valueAt(document, parts);
  const name = parts.pop();
  const place =
    name === undefined
      ? { parent: undefined, name, depth: 0, value }
      : { parent: valueAt(document, parts), name, depth: parts.length + 1, value };
  if (step.op === 'copy') return ledger.record(step, place, valueAt(document, partsOf(step.from)));
  return ledger.record(step, place, 'value' in step ? step.value : undefined);
}

/** A move is a removal and an addition (RFC 6902 4.4): the place of the second is sought after the first. */
function stepsOf(document: unknown, operation: Step): readonly Step[] {
  if (operation.op !== 'move' || operation.path.startsWith(`${operation.from}/`)) return [operation];
  const { from, path } = operation;
  const value = valueAt(document, partsOf(from)) as Extract<Step, { op: 'add' }>['value'];
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ];
}

/**
 * Why the operation has no place to act, or null. Stricter than the library, which finds inherited members and takes
 * `01` and `length` for an index (RFC 6901 4).
 */
function misplacement(document: unknown, step: Step): Overrun | null {
  if (step.op === 'move') return misfit('a value cannot be moved into itself');
  const needed = step.op === 'copy' ? step.from : step.path;
  if (step.op !== 'add' && valueAt(document, partsOf(needed)) === undefined)
    return misfit(`the path ${needed} does not exist`);
  if (step.op !== 'add' && step.op !== 'copy') return null;
  const parts = partsOf(step.path);
  const name = parts.pop();
  const parent = valueAt(document, parts);
  if (name === undefined) return null;
  if (typeof parent !== 'object' || parent === null)
    return misfit(`the path ${step.path} cannot hold a value`);
  if (!Array.isArray(parent) || name === '-' || INDEX.test(name)) return null;
  return misfit(`${name} is not an index of a list`);
}

const INDEX = /^(0|[1-9]\d*)$/;

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The member itself, never an inherited one; undefined, which JSON has not, = there is none. */
function valueAt(document: unknown, parts: readonly string[]): unknown {
  let node = document;
  for (const name of parts) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    if (Array.isArray(node) && !INDEX.test(name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return node;
}
