import { describe, expect, it } from 'vitest';
import { type ListColumn, shownColumns } from '#cloud/console/component/list/list-column.ts';
import { momentsOf, stateOf } from '#cloud/console/component/list/list-state.ts';

describe('the state of a list in the address', () => {
  it('is its filters, its time and its columns; other parameters belong to the page', () => {
    const search = { deviceId: 'flat-1', level: '', panel: 'x', from: '1000', to: '2000', columns: 'a,b' };
    expect(stateOf(search, ['deviceId', 'level'])).toEqual({
      filters: { deviceId: 'flat-1' },
      from: 1000,
      to: 2000,
      columns: ['a', 'b'],
    });
  });

  it('is a span rather than moments where both are said, and nothing where they are no times', () => {
    expect(stateOf({ span: 'day', from: '1' }, [])).toEqual({ filters: {}, span: 'day' });
    expect(stateOf({ span: 'era', from: 'x', to: '' }, [])).toEqual({ filters: {} });
  });

  it('moves with the clock where it is a span', () => {
    expect(momentsOf({ filters: {}, span: 'hour' }, 10_000_000)).toEqual({ from: 6_400_000 });
    expect(momentsOf({ filters: {}, from: 5 }, 10_000_000)).toEqual({ from: 5 });
  });
});

describe('the columns of a list', () => {
  const column = (id: string, isExtra = false): ListColumn<never> => ({
    id,
    title: id,
    cell: () => null,
    text: () => '',
    isExtra,
  });
  const columns = [column('a'), column('b'), column('c', true)];
  const ids = (named?: readonly string[]) => shownColumns(columns, named).map(({ id }) => id);

  it('are the usual ones, or those that the address names, in its order', () => {
    expect(ids()).toEqual(['a', 'b']);
    expect(ids(['c', 'a'])).toEqual(['c', 'a']);
  });

  it('are the usual ones where an address names none that there is', () => {
    expect(ids(['other'])).toEqual(['a', 'b']);
    expect(ids([])).toEqual(['a', 'b']);
  });
});
