import { expect, it } from 'vitest';
import { AnnouncementWindow } from '#cloud/shard/index.ts';

const WINDOW_MS = 10_000;
const said = (id: string, at: number) => ({ id, at, body: id });

it('each announcement is read once, oldest first, also one that is committed behind younger ones', () => {
  const window = new AnnouncementWindow<string>(WINDOW_MS);
  expect(window.look(1_000, [said('b', 900), said('a', 800)])).toEqual({
    fresh: [said('a', 800), said('b', 900)],
    missed: false,
  });
  // It was written before both, and its transaction ended only now.
  const late = said('0', 700);
  expect(window.look(2_000, [said('a', 800), said('b', 900), late]).fresh).toEqual([late]);
  expect(window.look(3_000, [said('a', 800), said('b', 900), late]).fresh).toEqual([]);
});

it('says that some may be missed once it has not looked for half the window', () => {
  const window = new AnnouncementWindow<string>(WINDOW_MS);
  window.look(0, []);
  expect(window.look(WINDOW_MS / 2, []).missed).toBe(false);
  expect(window.look(WINDOW_MS + 1, []).missed).toBe(true);
  expect(window.look(WINDOW_MS + 2, []).missed).toBe(false);
});

it('forgets old ones, never those that a look can still read', () => {
  const window = new AnnouncementWindow<string>(WINDOW_MS);
  window.look(0, [said('a', 0)]);
  for (let at = 1_000; at <= WINDOW_MS; at += 1_000)
    expect(window.look(at, [said('a', 0)]).fresh).toEqual([]);
});
