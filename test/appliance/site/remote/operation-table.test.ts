import { expect, it } from 'vitest';
import { OperationTable } from '#appliance/site/remote/index.ts';

const answering = (name: string) => () => ({ ok: true as const, value: { name } });

it('finds what each part has added, and no other name', () => {
  const table = new OperationTable();
  const before = table.find;
  table.add({ 'log.tail': answering('log') });
  table.add({ probe: answering('probe') });
  expect(before('log.tail')?.({ args: {}, by: 'system' })).toEqual({ ok: true, value: { name: 'log' } });
  expect(table.find('probe')?.({ args: {}, by: 'system' })).toEqual({ ok: true, value: { name: 'probe' } });
  expect(['', 'log', 'toString', 'valueOf', '__proto__', 'constructor'].map(table.find)).toEqual(
    Array.from({ length: 6 }),
  );
});

it('takes no second operation of a name', () => {
  const table = new OperationTable();
  table.add({ probe: answering('first') });
  expect(() => table.add({ probe: answering('second') })).toThrow(/operation probe is added twice/);
});
