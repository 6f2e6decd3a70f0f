import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ConsoleBrowser, DOMAIN, openConsoleBrowser } from '../support/console-browser.ts';

/* A list of several pages, in Chromium over a control plane: scrolled, walked through by keyboard, opened by its rows. */

const ROWS = 330;
let open: ConsoleBrowser;
/** Names in the order of the API. */
let names: readonly string[];
let first: string;

beforeAll(async () => {
  open = await openConsoleBrowser();
  const senders = `/provisioning/alarmeventmapper/${DOMAIN}`;
  for (let n = 1; n <= ROWS; n++)
    await open.call('POST', senders, {
      name: `Centre ${n}`,
      targetEndpoint: { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' },
    });
  const found: { readonly id: string; readonly name: string }[] = [];
  let token = '';
  do {
    const { alarmeventmappers, nextToken = '' } = await open.call('GET', `${senders}?limit=100${token}`);
    found.push(...(alarmeventmappers as typeof found));
    token = nextToken === '' ? '' : `&nextToken=${encodeURIComponent(String(nextToken))}`;
  } while (token !== '');
  names = found.map(({ name }) => name);
  first = found[0]?.id ?? '';
}, 300_000);
afterAll(async () => {
  await open?.close();
});

const list = () => `${open.cloud.api}/console/sender`;
const until = (inPage: string) => open.page.waitForFunction(inPage);
const value = (inPage: string) => open.page.evaluate(inPage);
const GRID = "document.querySelector('[role=grid]')";
const LINKED = '[role=row][data-href]';
/** The row with this number among all, the heading left out. */
const rowOf = (number: number) =>
  `document.querySelector('[role=row][aria-rowindex="${number + 1}"][data-href]')`;
/** Number of the row that has the focus. */
const FOCUSED = "Number(document.activeElement?.closest('[role=row]')?.ariaRowIndex ?? 0) - 1";
const press = (key: Parameters<typeof open.page.keyboard.press>[0]) => open.page.keyboard.press(key);

async function shows(width: number): Promise<void> {
  await open.page.setViewport({ width, height: 900 });
  await open.page.goto(list());
  await open.page.waitForSelector(LINKED);
}
/** The rows as a reader of the screen comes upon them, by what they are named. */
async function rowsRead(): Promise<readonly (string | undefined)[]> {
  const session = await open.page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const found: string[] = [];
  const walk = (id: string): void => {
    const node = byId.get(id);
    if (node?.role?.value === 'rowheader') found.push(/Centre \d+/.exec(String(node.name?.value))?.[0] ?? '');
    for (const child of node?.childIds ?? []) walk(child);
  };
  walk(nodes[0]?.nodeId ?? '');
  return found;
}

beforeEach(async () => {
  open.complaints.length = 0;
});

/** Puts the focus on the first row, from the field before the list. */
async function enter(): Promise<void> {
  await open.page.focus('.list-tools .act button');
  await press('Tab');
  await until(`${FOCUSED} === 1`);
}

it.each([1_440, 390])(
  'shows each of its rows to a person who scrolls, %d pixels wide',
  async (width) => {
    await shows(width);
    const seen = await value(`(async () => {
    const grid = ${GRID};
    const seen = new Set();
    for (;;) {
      const box = grid.getBoundingClientRect();
      const rows = [...grid.querySelectorAll('${LINKED}')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);
      for (const row of rows) {
        const { top, bottom } = row.getBoundingClientRect();
        if (bottom > box.top && top < box.bottom) seen.add(/Centre \\d+/.exec(row.textContent)[0]);
      }
      const isAtEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
      if (isAtEnd && grid.ariaRowCount === '${ROWS + 1}') return [...seen];
      grid.scrollTop += 150;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
  })()`);
    expect(seen).toEqual(names);
    expect(await value(`document.querySelectorAll('${LINKED}').length`)).toBeLessThan(50);
    expect(open.complaints).toEqual([]);
  },
  240_000,
);

it('shows the rows that come in sight in the elements of those that have left, and reads them out in their order', async () => {
  await shows(1_440);
  await until(`${GRID}.querySelectorAll('${LINKED}').length > 15`);
  const drawn = await value(`(async () => {
    const grid = ${GRID};
    const rows = grid.querySelectorAll('${LINKED}').length;
    let added = 0;
    let removed = 0;
    const watch = new MutationObserver((all) => {
      for (const { addedNodes, removedNodes } of all) {
        added += [...addedNodes].filter((node) => node.matches?.('${LINKED}')).length;
        removed += [...removedNodes].filter((node) => node.matches?.('${LINKED}')).length;
      }
    });
    watch.observe(grid, { childList: true, subtree: true });
    const frames = async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame); };
    for (let row = 0; row < 60; row++) {
      grid.scrollTop += 44;
      await frames();
    }
    const scrolled = { added, removed };
    // A page is asked for at the end, and nothing else moves until it is there.
    const height = grid.scrollHeight;
    grid.scrollTop = height;
    await frames();
    added = removed = 0;
    while (grid.scrollHeight === height) await new Promise(requestAnimationFrame);
    await frames();
    return { rows, scrolled, page: { added, removed } };
  })()`);
  const { rows, scrolled, page } = drawn as Record<
    'scrolled' | 'page',
    { added: number; removed: number }
  > & {
    readonly rows: number;
  };
  // The first ones have none beyond their upper edge.
  expect(scrolled.added).toBeLessThanOrEqual(4);
  expect(scrolled.removed).toBe(0);
  expect(page.added).toBeLessThanOrEqual(rows);
  // The end that was the last one had its rows a little further up.
  expect(page.removed).toBeLessThan(4);
  // Some rows stay where they are, and others come in behind them.
  for (const row of [20, 23]) {
    await value(`${GRID}.scrollTop = 44 * ${row}`);
    await until(`${rowOf(row - 3)} !== null && ${rowOf(row - 4)} === null`);
  }
  const inPage = (await value(
    `[...${GRID}.querySelectorAll('${LINKED}')].map(({ ariaRowIndex }) => ariaRowIndex - 2)`,
  )) as readonly number[];
  const inOrder = inPage.toSorted((a, b) => a - b);
  expect(inPage).not.toEqual(inOrder);
  expect(await rowsRead()).toEqual(inOrder.map((at) => names[at]));
});

it('is walked through by keyboard to its last row, and left by Tab', async () => {
  await shows(1_440);
  await enter();
  await press('ArrowDown');
  await press('ArrowDown');
  expect(await value(FOCUSED)).toBe(3);
  await press('ArrowUp');
  expect(await value(FOCUSED)).toBe(2);
  await press('PageDown');
  expect(await value(FOCUSED)).toBeGreaterThan(8);
  // As often as there are pages: rows that are not there yet cannot have the focus.
  await expect
    .poll(
      async () => {
        await press('End');
        return await value(FOCUSED);
      },
      { timeout: 60_000 },
    )
    .toBe(ROWS);
  expect(await value(`${GRID}.ariaRowCount`)).toBe(String(ROWS + 1));
  expect(
    await value(`(({ top, bottom }, box) => top >= box.top && bottom <= box.bottom)(
    document.activeElement.getBoundingClientRect(), ${GRID}.getBoundingClientRect())`),
  ).toBe(true);
  await press('PageUp');
  expect(await value(FOCUSED)).toBeLessThan(ROWS - 6);
  await press('Home');
  expect(await value(FOCUSED)).toBe(1);
  await press('ArrowDown');
  // The focus stays where it is while a person scrolls, and the next key leads back to it.
  await value(`${GRID}.scrollTop = ${GRID}.scrollHeight`);
  await until(`${rowOf(ROWS)} !== null`);
  expect(await value(FOCUSED)).toBe(2);
  await press('Tab');
  expect(await value(`${GRID}.contains(document.activeElement)`)).toBe(false);
  await open.page.keyboard.down('Shift');
  await press('Tab');
  expect(await value(FOCUSED)).toBe(2);
  await press('Tab');
  await open.page.keyboard.up('Shift');
  expect(await value(`document.querySelector('.list-tools').contains(document.activeElement)`)).toBe(true);
  await press('Tab');
  expect(await value(FOCUSED)).toBe(2);
  await press('Home');
  await press('Enter');
  await until(`location.pathname === '/console/sender/${first}'`);
  expect(open.complaints).toEqual([]);
});

it('opens a row by a press on it, and in another tab as any link', async () => {
  const { page } = open;
  await shows(1_440);
  const href = `/console/sender/${first}`;
  // Where a person presses lies a real link, which the menu of the browser opens too.
  const middle = `(({ left, width, top, height }) => document.elementFromPoint(left + width * 0.9, top + height / 2))(
    ${rowOf(1)}.getBoundingClientRect())`;
  expect(await value(`${middle}.closest('a')?.getAttribute('href')`)).toBe(href);
  const row = await page.waitForSelector(`[role=row][data-href="${href}"]`);
  for (const isMiddle of [true, false]) {
    const known = new Set(page.browser().targets());
    if (!isMiddle) await page.keyboard.down('Control');
    await row?.click(isMiddle ? { button: 'middle' } : {});
    if (!isMiddle) await page.keyboard.up('Control');
    // A tab is none yet in the moment in which it is made.
    await page.browser().waitForTarget((target) => !known.has(target) && target.type() === 'page');
    await page.bringToFront();
    expect(new URL(page.url()).pathname).toBe('/console/sender');
  }
  for (const other of await page.browser().pages())
    if (other !== page && other.url() !== 'about:blank') await other.close();
  await row?.click();
  await until(`location.pathname === '${href}'`);
  await page.goBack();
  await page.waitForSelector(LINKED);
  expect(open.complaints).toEqual([]);
});

/** Files of the page of usage that this page has asked for. */
const FETCHED =
  "performance.getEntriesByType('resource').filter(({ name }) => /asset\\/usage-[\\w-]+\\.js/.test(name)).length";

it('fetches the code of a page when the pointer comes to its link, and is not loaded again when the network is away then', async () => {
  const { page } = open;
  await shows(1_440);
  await value('window.isSame = true');
  const failed = Promise.withResolvers<void>();
  const look = (request: HTTPRequest): void => {
    if (/asset\/usage-/.test(request.url())) failed.resolve();
  };
  page.on('requestfailed', look);
  await page.setOfflineMode(true);
  await page.hover('nav a[href="/console/usage"]');
  await failed.promise;
  page.off('requestfailed', look);
  await page.setOfflineMode(false);
  expect(await value('document.title')).toContain('Event senders');
  // The page may learn of its failure after this test: until then it is still being fetched.
  await expect
    .poll(
      async () => {
        await page.hover('nav a[href="/console/log"]');
        await page.hover('nav a[href="/console/usage"]');
        return await value(FETCHED);
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  expect(await value('window.isSame')).toBe(true);
});
