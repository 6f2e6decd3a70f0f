import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DemoConsole, openDemoConsole } from './demo-console.ts';
import { furnish, openApplication } from './furnish.ts';
import { addressesShown, pagePaths } from './route.ts';
import { settling } from './settled.ts';

/*
 * npm run console:sheet FOLDER [LANGUAGES] [PARTS OF ADDRESSES]: pictures of the pages of the console, and a page with all of them. Ends
 * with 1 when a page is wider than its screen.
 */

const OFFSET = 10_700;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1_440, 390] as const;
const HEIGHT = 1_000;

/** In the page: a picture of all of it holds what the browser would draw on the way to it only. The policy of the page lets no style in. */
const DRAW_ALL = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

const [folder, languages = 'en,sv,de', parts = ''] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Name the folder for the pictures: npm run console:sheet /tmp/sheet [en,sv,de]');
const to = resolve(folder);
mkdirSync(to, { recursive: true });
const application = await openApplication();
const demo = await openDemoConsole(OFFSET, ['--callback', application.url]);
const settled = settling(demo.open.page);
const wide: string[] = [];
try {
  const objects = await furnish(demo, application);
  const addresses = [...pagePaths().flatMap((path) => addressesShown(path, objects)), await wallOf(demo)];
  const names: string[] = [];
  for (const language of languages.split(','))
    names.push(...(await pictures(demo, addresses.filter(isWanted), language)));
  writeFileSync(join(to, 'index.html'), sheetOf(names));
  console.log(`${names.length} pictures in ${to}: open index.html.`);
} finally {
  await demo.close();
  application.close();
}
for (const name of wide) console.error(`wider than its screen: ${name}`);
process.exitCode = wide.length > 0 ? 1 : 0;

/** The address of a display on a wall, which stands outside of the list of pages. */
async function wallOf({ open, there }: DemoConsole): Promise<string> {
  const domain = there('domain');
  const { token } = await open.call('POST', `/alarmqueue/${domain}/wall`, { name: 'Night room' });
  return `wall/${domain}#${token}`;
}

function isWanted(address: string): boolean {
  return parts.split(',').some((part) => address.includes(part));
}

/** Each page is loaded once in a language, and takes each width and theme as it does for a person who changes them. */
async function pictures(
  { open: { page }, api }: DemoConsole,
  addresses: readonly string[],
  language: string,
): Promise<readonly string[]> {
  await page.evaluate(`localStorage.setItem('carillon.language', '${language}')`);
  const names: string[] = [];
  for (const address of addresses) {
    // Another fragment alone loads nothing.
    if (address.includes('#')) await page.goto('about:blank');
    await page.goto(`${api}/console/${address}`);
    await page.waitForSelector('main h1, .wall');
    await settled();
    await page.evaluate(DRAW_ALL);
    const words = address.replace(/#.*/, '').replace(/[^\w-]+/g, '-');
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: HEIGHT });
      for (const theme of THEMES) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        const name = `${[words, width, theme, language].join('.')}.png`;
        // The whole page: what lies below the first screen is looked at, too.
        await page.screenshot({ path: join(to, name), fullPage: true });
        names.push(name);
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(name);
      }
    }
  }
  return names;
}

/** One row for each page, its pictures side by side. */
function sheetOf(names: readonly string[]): string {
  const rows = Map.groupBy(names, (name) => name.split('.')[0] ?? '');
  const picture = (name: string): string =>
    `<figure><a href="${name}"><img loading="lazy" src="${name}"></a><figcaption>${name}</figcaption></figure>`;
  const body = [...rows].map(
    ([page, all]) => `<h2>${page}</h2><div>${all.map((name) => picture(name)).join('')}</div>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Pages of the console</title>
<style>body{font:14px sans-serif}div{display:flex;flex-wrap:wrap;gap:8px}img{height:320px;border:1px solid #999}figure{margin:0}</style>
${body.join('\n')}
`;
}
