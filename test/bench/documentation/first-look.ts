import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { ROOT } from '#test/architecture/repository.ts';
import { openWholeCloud } from '#test/cloud/whole-cloud.ts';
import type { Bench, BenchContext, BenchResult, Figure } from '../support/bench.ts';
import { median, percentile, spreadOf } from '../support/figure.ts';
import { inPlace } from '../support/place.ts';
import { buildDocumentation, searchTimes } from './built-site.ts';

/** Row 25: what a newcomer waits for: the command line, the first page of the documentation, and its search. */
export const firstLook: Bench = { row: 25, name: 'first-look', run };

/** A machine that is busy loads a page late; its figures do not count. Milliseconds. */
const LOADED = { waitUntil: 'load', timeout: 300_000 } as const;

/** Words of several kinds: fields, codes of errors, protocols, things that people look for. */
const SEARCHES = [
  ...['heartbeatInterval', 'callbackBaseUrl', 'voiceCallMissing', 'storageUnavailable', 'SCAIP', 'DC-09'],
  ...['dead letter', 'second host', 'rotate key', 'signature', 'queue', 'recording', 'whisper', 'claim'],
];

async function run({ quick }: BenchContext): Promise<BenchResult> {
  buildDocumentation();
  const size = quick
    ? { starts: 3, pages: 2, searches: SEARCHES.slice(0, 4) }
    : { starts: 20, pages: 9, searches: SEARCHES };
  return await inPlace(async (place) => {
    const cache = place.folder();
    const starts = Array.from({ length: size.starts + 1 }, () => startMs(cache));
    const { api } = await place.keep(stoppable(openWholeCloud()));
    const browser = puppeteer.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      userDataDir: place.folder(),
      protocolTimeout: LOADED.timeout,
    });
    const opened = await place.keep(stoppable(browser));
    // The first page of a browser that has just started has its start in it.
    await firstPageMs(opened, api);
    const pages: number[] = [];
    for (let n = 0; n < size.pages; n++) pages.push(await firstPageMs(opened, api));
    const page = await opened.newPage();
    await page.goto(`${api}/docs`, LOADED);
    // Each twice: words that were looked for have their part of the index already.
    const searches = await searchTimes(page, [...size.searches, ...size.searches]);
    return {
      figures: [
        row('start of the command line, what was compiled is kept', starts.slice(1), median, 400, 300),
        row('first page of the documentation, nothing kept by the browser', pages, median, 1_000, 500),
        row('search in the documentation, p95', searches, (all) => percentile(all, 0.95), 100, 50),
      ],
      notes: [
        `${size.starts} starts of \`carillon --version\` after one; ${size.pages} pages until all that they name has loaded`,
        `${searches.length} searches with the index open, each with the parts of the index that it fetches`,
        'the control plane runs in the process of the benchmark, on loopback',
      ],
    };
  });
}

const stoppable = async <Closing extends { readonly close: () => Promise<void> }>(
  opening: Promise<Closing>,
) => {
  const opened = await opening;
  return Object.assign(opened, { stop: () => opened.close() });
};

/** One start of the command line, from the checkout, by a user whose cache is this folder; ms. */
function startMs(cache: string): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'installer/bin.ts'), '--version'], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined },
  });
  if (status !== 0) throw new Error(`the command line does not start: ${stderr}`);
  return performance.now() - begun;
}

/** The first page as a person sees it who was never there, ms. */
async function firstPageMs(browser: Browser, api: string): Promise<number> {
  const stranger = await browser.createBrowserContext();
  const page = await stranger.newPage();
  const begun = performance.now();
  await page.goto(`${api}/docs`, LOADED);
  const ms = performance.now() - begun;
  await stranger.close();
  return ms;
}

function row(
  what: string,
  times: readonly number[],
  ofAll: (times: readonly number[]) => number,
  gate: number,
  ambition: number,
): Figure {
  const ours = ofAll(times);
  return {
    ...{ row: 25, what, unit: 'ms', ours, judged: ours, gate, ambition, wanted: 'most' },
    spread: spreadOf(times),
  };
}
