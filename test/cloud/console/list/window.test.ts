import { describe, expect, it } from 'vitest';
import {
  emptyWindow,
  type HeldPage,
  rowsOf,
  withFresh,
  withNext,
  withPrevious,
} from '#cloud/console/component/list/window.ts';

/** The page that begins at this row, of a list of many. */
const pageAt = (first: number, rows = 10): HeldPage<number> => ({
  token: first === 0 ? undefined : String(first),
  items: Array.from({ length: rows }, (_, at) => first + at),
  nextToken: String(first + rows),
});
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('the window of a list', () => {
  it('gives up its first pages when it grows at its end, and knows how they are read again', () => {
    let held = emptyWindow<number>();
    for (const first of [0, 10, 20, 30]) held = withNext(held, pageAt(first), 25);
    expect(rowsOf(held)).toEqual(range(20, 40));
    expect(held.before).toEqual([undefined, '10']);
    held = withPrevious(held, pageAt(10), 25);
    expect(rowsOf(held)).toEqual(range(10, 30));
    expect(held.before).toEqual([undefined]);
    // The end that was given up is read again by the token of the last page that is held.
    expect(held.pages.at(-1)?.nextToken).toBe('30');
  });

  it('holds no more rows than a browser draws, whatever the list has', () => {
    let held = emptyWindow<number>();
    for (const first of range(0, 200)) held = withNext(held, pageAt(first * 100, 100));
    expect(rowsOf(held)).toHaveLength(5_000);
    expect(held.before).toHaveLength(150);
  });

  it('keeps a page that alone is larger than the window', () => {
    expect(rowsOf(withNext(emptyWindow<number>(), pageAt(0, 30), 20))).toHaveLength(30);
  });
});

describe('a new look at the first page', () => {
  interface Row {
    readonly id: string;
    readonly state: string;
  }
  const row = (id: string, state = 'old'): Row => ({ id, state });
  const keyOf = ({ id }: Row) => id;
  const held = withNext(emptyWindow<Row>(), { items: [row('b'), row('c')], nextToken: 'c' });

  it('changes rows in their place, and counts the new ones without showing them', () => {
    const fresh = withFresh(held, [row('x'), row('c', 'new'), row('b')], keyOf);
    expect(rowsOf(fresh.window)).toEqual([row('b'), row('c', 'new')]);
    expect(fresh.added).toBe(1);
  });

  it('says nothing while the first page is not held', () => {
    const later = { ...held, before: [undefined] };
    expect(withFresh(later, [row('x')], keyOf)).toEqual({ window: later, added: 0 });
  });
});
