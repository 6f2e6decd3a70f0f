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
  ['57P01', 'storageUnavailable'],
  ['08006', 'storageUnavailable'],
])('%s is %s, also inside what wraps it', (code, fault) => {
  expect(storageFault(coded(code))?.code).toBe(fault);
  expect(storageFault(new Error('Failed query', { cause: coded(code) }))?.code).toBe(fault);
});

it('a connection that ended under a query is told by its words', () => {
  expect(storageFault(new Error('Connection terminated unexpectedly'))?.code).toBe('storageUnavailable');
});

it.each([coded('SQLITE_CONSTRAINT'), coded('23505'), new TypeError('x'), 'text', undefined])(
  '%s is a defect',
  (error) => {
    expect(storageFault(error)).toBeUndefined();
  },
);
