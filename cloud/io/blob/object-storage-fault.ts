import type { Failure } from '#shared/result.ts';

/** The object storage refuses, or is away; its message is one sentence with the advice. */
export class ObjectStorageFault extends Error {}

/** The failure behind an exception of the object storage; undefined for every other exception. */
export const objectStorageFault = (thrown: unknown): Failure<'storageUnavailable'> | undefined =>
  thrown instanceof ObjectStorageFault
    ? { code: 'storageUnavailable', reason: `The request is not executed: ${thrown.message}` }
    : undefined;
