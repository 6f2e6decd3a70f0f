import { describe, expect, it } from 'vitest';
import {
  drawnRows,
  isNearEnd,
  rowOfKey,
  rowsGivenUp,
  scrollTopFor,
  viewportOf,
} from '#cloud/console/component/list/viewport.ts';

const ROW = 44;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('the rows of a list that are drawn', () => {
  it('cover what is in sight at each pixel, with no more than some beyond it', () => {
    const height = 500;
    for (let scrollTop = 0; scrollTop <= 1_000 * ROW - height; scrollTop += 11) {
      const drawn = drawnRows(viewportOf({ scrollTop, height, rowHeight: ROW }), 1_000);
      expect((drawn[0] ?? 0) * ROW).toBeLessThanOrEqual(scrollTop);
      expect(((drawn.at(-1) ?? 0) + 1) * ROW).toBeGreaterThanOrEqual(scrollTop + height);
      expect(drawn.length).toBeLessThanOrEqual(Math.ceil(height / ROW) + 1 + 8);
    }
  });

  it('are others by one row when the list is scrolled by one row', () => {
    const at = (scrollTop: number) =>
      drawnRows(viewportOf({ scrollTop, height: 440, rowHeight: ROW }), 1_000);
    const before = at(100 * ROW);
    const after = at(101 * ROW);
    expect(after.filter((row) => !before.includes(row))).toEqual([(before.at(-1) ?? 0) + 1]);
    expect(before.filter((row) => !after.includes(row))).toEqual([before[0]]);
    expect(at(100 * ROW + 43)).toEqual(before);
  });

  it('are the last ones when the list has become shorter than where it is scrolled to', () => {
    expect(drawnRows({ first: 900, fits: 10 }, 50)).toEqual(range(36, 50));
    expect(drawnRows({ first: 900, fits: 10 }, 3)).toEqual([0, 1, 2]);
    expect(drawnRows({ first: 0, fits: 10 }, 0)).toEqual([]);
    expect(viewportOf({ scrollTop: -30, height: -5, rowHeight: ROW })).toEqual({ first: 0, fits: 1 });
  });

  it('have the row of the focus among them wherever it is, once and in order', () => {
    const viewport = { first: 100, fits: 3 };
    const seen = range(96, 107);
    expect(drawnRows(viewport, 500, 7)).toEqual([7, ...seen]);
    expect(drawnRows(viewport, 500, 400)).toEqual([...seen, 400]);
    expect(drawnRows(viewport, 500, 101)).toEqual(seen);
    for (const none of [-1, 500]) expect(drawnRows(viewport, 500, none)).toEqual(seen);
  });

  it('ask for those behind them before the last one is in sight, at any height of the rows', () => {
    expect(isNearEnd({ first: 79, fits: 10 }, 100)).toBe(false);
    expect(isNearEnd({ first: 80, fits: 10 }, 100)).toBe(true);
    expect(isNearEnd({ first: 0, fits: 10 }, 0)).toBe(true);
    for (const rowHeight of [ROW, 274])
      for (const height of [0, 40, 300, 900]) {
        const scrollTop = Math.max(0, 330 * rowHeight - height);
        expect(isNearEnd(viewportOf({ scrollTop, height, rowHeight }), 330)).toBe(true);
      }
  });
});

describe('the keys of a list', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['PageDown', 5, 15],
    ['PageUp', 15, 5],
    ['Home', 5, 0],
    ['End', 5, 99],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 0, 0],
    ['PageDown', 95, 99],
    ['PageUp', 3, 0],
    // None has the focus yet: the first row.
    ['ArrowDown', -1, 0],
    ['ArrowUp', -1, 0],
  ])('%s leads from row %d to row %d', (key, at, to) => {
    expect(rowOfKey(key, at, 100, 10)).toBe(to);
  });

  it('are no others, and none in an empty list', () => {
    for (const key of ['a', 'Enter', 'Tab', 'ArrowRight', 'constructor'])
      expect(rowOfKey(key, 5, 100, 10)).toBe(undefined);
    expect(rowOfKey('End', -1, 0, 10)).toBe(undefined);
  });

  it('bring the whole of a row in sight, and scroll no further', () => {
    const top = (index: number, scrollTop: number, height = 440) =>
      scrollTopFor(index, { scrollTop, height, rowHeight: ROW });
    expect(top(3, 1_000)).toBe(132);
    expect(top(50, 0)).toBe(51 * ROW - 440);
    expect(top(5, 100)).toBe(100);
    // A row that is higher than the place for rows shows its begin.
    expect(top(50, 0, 20)).toBe(2_200);
  });
});

describe('rows that are given up before the first one', () => {
  const keyOf = (row: { readonly id: string }) => row.id;
  const rows = (from: number, to: number) => range(from, to).map((id) => ({ id: String(id) }));

  it('are counted by their keys, for the objects of rows change', () => {
    expect(rowsGivenUp(rows(0, 100), rows(30, 120), keyOf)).toBe(30);
    expect(rowsGivenUp(rows(0, 100), rows(0, 200), keyOf)).toBe(0);
  });

  it('are none in another list, and in one with rows before those', () => {
    expect(rowsGivenUp(rows(0, 100), rows(500, 600), keyOf)).toBe(undefined);
    expect(rowsGivenUp(rows(50, 100), rows(0, 100), keyOf)).toBe(undefined);
    expect(rowsGivenUp(rows(0, 100), [], keyOf)).toBe(undefined);
  });
});
