import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DemoConsole, openDemoConsole } from './demo-console.ts';
import { settling } from './settled.ts';

/* npm run console:sheet FOLDER [LANGUAGES] [PARTS OF ADDRESSES]: pictures of the pages of the console, and a page with all of them. */

const OFFSET = 10_700;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1_440, 390] as const;
const HEIGHT = 1_000;

const [folder, languages = 'en,sv,de', parts = ''] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Name the folder for the pictures: npm run console:sheet /tmp/sheet [en,sv,de]');
const to = resolve(folder);
mkdirSync(to, { recursive: true });
const demo = await openDemoConsole(OFFSET);
const settled = settling(demo.open.page);
try {
  const names: string[] = [];
  for (const language of languages.split(','))
    for (const theme of THEMES)
      for (const width of WIDTHS) names.push(...(await pictures(demo, { language, theme, width })));
  writeFileSync(join(to, 'index.html'), sheetOf(names));
  console.log(`${names.length} pictures in ${to}: open index.html.`);
} finally {
  await demo.close();
}

function isWanted(address: string): boolean {
  return parts.split(',').some((part) => address.includes(part));
}

interface Look {
  readonly language: string;
  readonly theme: (typeof THEMES)[number];
  readonly width: number;
}

async function pictures({ open, api, addresses }: DemoConsole, look: Look): Promise<readonly string[]> {
  const { page } = open;
  await page.setViewport({ width: look.width, height: HEIGHT });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: look.theme }]);
  await page.evaluate(`localStorage.setItem('carillon.language', '${look.language}')`);
  const names: string[] = [];
  for (const address of addresses.filter(isWanted)) {
    await page.goto(`${api}/console/${address}`);
    await page.waitForSelector('main h1');
    await settled();
    const name = `${[address.replaceAll('/', '-'), look.width, look.theme, look.language].join('.')}.png`;
    await page.screenshot({ path: join(to, name) });
    names.push(name);
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
