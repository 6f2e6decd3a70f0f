// CommonJS: only the default import exists when Node runs it.
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { JsonPatch } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

type Step = JsonPatch[number];

/**
 * Applies RFC 6902 to a copy of `document`: all operations or none. Fails with `testFailed`, or with `invalid` when an
 * operation has no place to act. Pointers were checked by the contract (escapes, prototype names).
 */
export function patched(document: unknown, patch: JsonPatch): Result<unknown> {
  let result: unknown = structuredClone(document);
  for (const [index, operation] of patch.entries()) {
    for (const step of stepsOf(result, operation)) {
      const misplaced = misplacement(result, step);
      if (misplaced !== null) return refuse(index, misplaced);
      try {
        // Values are copied, or a later operation would change the request and, after a copy, two places at once.
        const own = structuredClone(step) as Operation;
        result = jsonPatch.applyOperation(result, own, true, true, true, index).newDocument;
      } catch (error) {
        if (!(error instanceof jsonPatch.JsonPatchError)) throw error;
        if (error.name !== 'TEST_OPERATION_FAILED') return refuse(index, `cannot be applied (${error.name})`);
        const reason = `The test of operation ${index} failed: ${step.path} has another value.`;
        return fail('testFailed', reason, `/${index}`);
      }
    }
  }
  return ok(result);
}

const refuse = (index: number, reason: string) => fail('invalid', `/${index}: ${reason}`, `/${index}`);

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
function misplacement(document: unknown, step: Step): string | null {
  if (step.op === 'move') return 'a value cannot be moved into itself';
  const needed = step.op === 'copy' ? step.from : step.path;
  if (step.op !== 'add' && valueAt(document, partsOf(needed)) === undefined)
    return `there is nothing at ${needed}`;
  if (step.op !== 'add' && step.op !== 'copy') return null;
  const parts = partsOf(step.path);
  const name = parts.pop();
  const parent = valueAt(document, parts);
  if (name === undefined || !Array.isArray(parent) || name === '-' || INDEX.test(name)) return null;
  return `${name} is no index of a list`;
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
