// CommonJS: only the default import exists when Node runs it.
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { JsonPatch } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/**
 * Applies RFC 6902 to a copy of `document`: all operations or none. Fails with `testFailed`, or with `invalid` when an
 * operation has no place to act. Pointers were checked by the contract (escapes, prototype names).
 */
export function patched(document: unknown, patch: JsonPatch): Result<unknown> {
  let result: unknown = structuredClone(document);
  for (const [index, operation] of patch.entries()) {
    const missing = missingPlace(result, operation);
    if (missing !== null)
      return refuse(index, `there is nothing at ${missing === '' ? 'the root' : missing}`);
    if (operation.op === 'move' && operation.path.startsWith(`${operation.from}/`))
      return refuse(index, 'a value cannot be moved into itself (RFC 6902 4.4)');
    try {
      // The values are copied, or a later operation would change the request and, by `copy`, two places at once.
      result = jsonPatch.applyOperation(
        result,
        structuredClone(operation) as Operation,
        true,
        true,
        true,
        index,
      ).newDocument;
    } catch (error) {
      if (!(error instanceof jsonPatch.JsonPatchError)) throw error;
      if (error.name === 'TEST_OPERATION_FAILED')
        return fail(
          'testFailed',
          `The test of operation ${index} failed: ${operation.path} has another value.`,
          `/${index}`,
        );
      return refuse(index, `cannot be applied (${error.name})`);
    }
  }
  return ok(result);
}

const refuse = (index: number, reason: string) => fail('invalid', `/${index}: ${reason}`, `/${index}`);

/** The place an operation needs and the document has not; null = fine. The library also finds inherited members. */
function missingPlace(document: unknown, operation: JsonPatch[number]): string | null {
  const needed = operation.op === 'move' || operation.op === 'copy' ? operation.from : operation.path;
  if (operation.op === 'add') return null;
  return exists(document, needed) ? null : needed;
}

function exists(document: unknown, pointer: string): boolean {
  let node = document;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return false;
    // RFC 6901 4: an array index has no leading zero and is no other property of the array.
    if (Array.isArray(node) && !/^(0|[1-9]\d*)$/.test(name)) return false;
    node = (node as Record<string, unknown>)[name];
  }
  return true;
}
