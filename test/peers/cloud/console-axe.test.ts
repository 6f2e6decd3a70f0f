import axeCore from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bySize } from '#test/support/vitest/rounds.ts';
import { type DemoConsole, openDemoConsole } from '../sheet/demo-console.ts';
import { settling } from '../sheet/settled.ts';

/* Every page and dialog of the console, judged by axe by the rules of WCAG 2.2 AA, in both themes and at two widths. */

const OFFSET = 10_900;
const { source: axe } = axeCore;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
let demo: DemoConsole;
let settled: () => Promise<void>;

beforeAll(async () => {
  demo = await openDemoConsole(OFFSET);
  settled = settling(demo.open.page);
});
afterAll(async () => {
  await demo?.close();
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** The faults of what is shown, one line each. `evaluate` of the debugger is not held by the policy of the page. */
async function faults(): Promise<readonly string[]> {
  const { page } = demo.open;
  await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

async function show(address: string): Promise<void> {
  const { page } = demo.open;
  await page.goto(`${demo.api}/console/${address}`);
  await page.waitForSelector('main h1');
  await settled();
}

const LOOKS = [
  { width: 1_440, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const;

describe.each(LOOKS)('axe finds no fault at $width in $theme', ({ width, theme }) => {
  const look = LOOKS.findIndex((each) => each.theme === theme);

  // Each page in one of the looks, every second one in this; by `.ci/run --long` in all of them.
  it('on any page', { timeout: 600_000 }, async () => {
    const { page } = demo.open;
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    const found: string[] = [];
    for (const address of demo.addresses.filter((_, at) => bySize(at % LOOKS.length === look, true))) {
      await show(address);
      found.push(...(await faults()).map((fault) => `${address}: ${fault}`));
    }
    expect(found).toEqual([]);
  });

  it.each([
    ['fleet', 'Create a site'],
    ['fleet', 'Add a host'],
    ['fleet', 'Maintenance'],
    ['record', 'Add a filter'],
    ['record', 'Views'],
    ['device', 'Add a device'],
  ])('in the dialog of %s: %s', async (address, label) => {
    await show(address);
    await demo.open.page.locator(`main ::-p-text(${label})`).click();
    await demo.open.page.waitForSelector('[role="dialog"], dialog[open]');
    expect(await faults()).toEqual([]);
  });

  it('in the palette', async () => {
    await show('overview');
    await demo.open.page.keyboard.down('Control');
    await demo.open.page.keyboard.press('k');
    await demo.open.page.keyboard.up('Control');
    await demo.open.page.waitForSelector('.palette input');
    expect(await faults()).toEqual([]);
  });
});
