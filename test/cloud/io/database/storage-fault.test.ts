import { expect, it } from 'vitest';
import { storageFault } from '#cloud/io/database/index.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

it.each([
  ['SQLITE_FULL', 'storageFull'],
  ['ENOSPC', 'storageFull'],
  ['53100', 'storageFull'],
  ['SQLITE_IOERR_WRITE', 'storageUnavailable'],
  ['SQLITE_BUSY', 'storageUnavailable'],
  ['ECONNREFUSED', 'storageUnavailable'],
  ['ECONNRESET', 'storageUnavailable'],
  ['EPIPE', 'storageUnavailable'],
  ['57P01', 'storageUnavailable'],
  ['08006', 'storageUnavailable'],
  ['25006', 'storageUnavailable'],
  ['25P03', 'storageUnavailable'],
  ['40P01', 'storageUnavailable'],
  ['57014', 'storageUnavailable'],
  ['TRANSACTION_LATE', 'storageUnavailable'],
])('%s is %s, also inside what wraps it', (code, fault) => {
  expect(storageFault(coded(code))?.code).toBe(fault);
  expect(storageFault(new Error('Failed query', { cause: coded(code) }))?.code).toBe(fault);
});

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
  'timeout exceeded when trying to connect',
])('a connection that ends, is silent or is not free is recognised by its words: %s', (words) => {
  expect(storageFault(new Error(words))?.code).toBe('storageUnavailable');
});

it.each([coded('SQLITE_CONSTRAINT'), coded('23505'), new TypeError('x'), 'text', undefined])(
  '%s is a defect',
  (error) => {
    expect(storageFault(error)).toBeUndefined();
  },
);
