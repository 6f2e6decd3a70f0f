import type { CDPSession } from 'puppeteer-core';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { type DemoConsole, openDemoConsole } from './demo-console.ts';
import { traced } from './main-thread.ts';
import { settling } from './settled.ts';
import { fillTenant, sayLong } from './speed-world.ts';
import { eventually } from './stage.ts';

/*
 * npm run console:speed [RECORDS] [HOSTS] [PARTS]: the speed of the console in Chromium over a demo with 10,000 hosts and 1,000,000
 * records, beside what it must reach. PARTS: some of `loads,navigations,scrolls,live,ladder`. Ends with 1 when something misses it.
 */

const OFFSET = 16_100;
const [records = 1_000_000, hosts = 10_000] = process.argv.slice(2, 4).map(Number);
const wanted = process.argv[4]?.split(',');
const LADDER = 2_000;
const LIVE_ALARMS = 5;
/** Answers at once that show that the control plane is done with its start, and with a page that was left. */
const CALM = { start: 100, page: 20 } as const;
const AT_ONCE_MS = 20;
/** 1.6 Mbit/s and 150 ms, both ways. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const FAST = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Pages by the names of the navigation, where a person finds rows. */
const PAGES: Readonly<Record<string, string>> = {
  overview: 'Overview',
  fleet: 'Fleet',
  record: 'Alarms and calls',
  delivery: 'Deliveries',
  device: 'Devices',
  bridge: 'Alarm receivers',
  access: 'People and keys',
};
/** Rows, or what a page has in their place. */
const ROWS = 'main :is(tbody tr, [role="rowheader"], .empty)';

/** In the page: bytes of the files of the console, as they came. */
const BYTES = `performance.getEntries()
  .filter(({ name, encodedBodySize }) => encodedBodySize > 0 && name.includes('/console/'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly gate: number;
}

const figures: Figure[] = [];
function note(what: string, value: number, unit: string, gate: number): void {
  figures.push({ what, value, unit, gate });
  console.log(`${value <= gate ? 'ok  ' : 'MISS'} ${what}: ${value.toFixed(1)} ${unit}, at most ${gate}`);
}

const filledMs = performance.now();
const demo = await openDemoConsole(OFFSET, [], (data) => fillTenant(data, { hosts, records }));
try {
  console.log(
    `${hosts} hosts and ${records} records after ${((performance.now() - filledMs) / 1_000).toFixed(0)} s`,
  );
  const { page } = demo.open;
  await idle(demo.api, CALM.start);
  await page.setViewport({ width: 1_440, height: 1_000 });
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  const parts = {
    loads: () => loads(demo, session),
    navigations: () => navigations(demo),
    scrolls: () => scrolls(demo, session),
    live: () => live(demo),
    ladder: () => ladder(demo),
  };
  const unknown = wanted?.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new Error(`There is no part ${unknown}. Name some of ${Object.keys(parts).join(', ')}.`);
  for (const [name, measure] of Object.entries(parts)) if (wanted?.includes(name) !== false) await measure();
} finally {
  await demo.close();
}
process.exitCode = figures.some(({ value, gate }) => !(value <= gate)) ? 1 : 0;

/**
 * Waits until the control plane does nothing else: it answers so often at once, one after the other. After its start it looks at every
 * host for minutes; and a page that was left has asked for what is still being made.
 */
async function idle(api: string, times: number): Promise<void> {
  for (let atOnce = 0; atOnce < times; ) {
    const began = performance.now();
    await (await fetch(`${api}/readyz`)).arrayBuffer();
    atOnce = performance.now() - began < AT_ONCE_MS ? atOnce + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Each page in a browser that has nothing of it: its files packed as they came, and when its rows stood there. */
async function loads({ open: { page }, api }: DemoConsole, session: CDPSession): Promise<void> {
  const settled = settling(page);
  await page.evaluateOnNewDocument(`{
    const look = () =>
      document.querySelector('${ROWS}') === null ? requestAnimationFrame(look) : performance.mark('rows');
    look();
  }`);
  const usableMs = async (path: string, line: typeof SLOW): Promise<number> => {
    await page.goto('about:blank');
    await idle(api, CALM.page);
    await session.send('Network.clearBrowserCache');
    await session.send('Network.emulateNetworkConditions', line);
    await page.goto(`${api}/console/${path}`, { waitUntil: 'domcontentloaded' });
    const mark = await page.waitForFunction("performance.getEntriesByName('rows')[0]?.startTime");
    return Number(await mark.jsonValue());
  };
  // A control plane that has just been started reads its tables for the first time.
  for (const path of Object.keys(PAGES)) {
    await usableMs(path, FAST);
    await settled();
  }
  for (const path of Object.keys(PAGES)) {
    const ms = await usableMs(path, FAST);
    await settled();
    note(`${path}: first load`, Number(await page.evaluate(BYTES)) / 1_000, 'kB', 250);
    note(`${path}: usable on loopback`, ms, 'ms', 1_000);
    note(`${path}: usable at 1.6 Mbit/s, 150 ms`, await usableMs(path, SLOW), 'ms', 3_000);
  }
  await session.send('Network.emulateNetworkConditions', FAST);
}

/** From the press on a link of the navigation until the rows of its page are drawn; each page has been seen before. */
async function navigations({ open: { page } }: DemoConsole): Promise<void> {
  const go = async (path: string, name: string): Promise<number> =>
    Number(
      await page.evaluate(`(async () => {
        const began = performance.now();
        document.querySelector('nav a[href="/console/${path}"]').click();
        for (;;) {
          await new Promise(requestAnimationFrame);
          const isThere = document.querySelector('main h1')?.textContent === '${name}';
          if (isThere && document.querySelector('${ROWS}') !== null) return performance.now() - began;
        }
      })()`),
    );
  const settled = settling(page);
  for (const isCounted of [false, true])
    for (const [path, name] of Object.entries(PAGES)) {
      const ms = await go(path, name);
      await settled();
      if (isCounted) note(`${path}: navigation`, ms, 'ms', 100);
    }
}

/** Scrolling, by what the main thread did. */
async function scrolls({ open: { page }, api }: DemoConsole, session: CDPSession): Promise<void> {
  const settled = settling(page);
  for (const path of ['fleet', 'record?span=month']) {
    await page.goto(`${api}/console/${path}`);
    await page.waitForSelector(ROWS);
    await settled();
    await idle(api, CALM.page);
    const { frames, p95Ms, longestMs } = await traced(page, () =>
      session.send('Input.synthesizeScrollGesture', { x: 900, y: 700, yDistance: -12_000, speed: 2_500 }),
    );
    console.log(`     ${path}: ${frames} frames`);
    note(`${path}: main thread per scroll frame, p95`, p95Ms, 'ms', 8);
    note(`${path}: longest task while scrolling`, longestMs, 'ms', 50);
  }
}

/** Alarms that come while a person looks at the overview: from their arrival in the control plane until they are drawn. */
async function live({ open: { page, call }, api, there }: DemoConsole): Promise<void> {
  await page.goto(`${api}/console/overview`);
  await page.waitForSelector('.newest tbody tr');
  await settling(page)();
  await idle(api, CALM.page);
  const late: number[] = [];
  for (let n = 0; n < LIVE_ALARMS; n++) {
    const first = "document.querySelector('.newest tbody a').getAttribute('href')";
    const before = await page.evaluate(first);
    const drawn = page.waitForFunction(`${first} !== ${JSON.stringify(before)} && [${first}, Date.now()]`);
    await simulateScaip({
      ...{
        to: there('sip'),
        transport: 'udp',
        domain: there('domain'),
        receiver: 'scaip',
        count: 1,
        rate: 1,
      },
      ...{
        device: 'scaip-0002',
        password: undefined,
        deviceType: '0003',
        statusCode: '0010',
        trust: undefined,
      },
    });
    const [href, at] = (await (await drawn).jsonValue()) as unknown as readonly [string, number];
    const { record } = await call('GET', `/record/${there('domain')}/${href.split('/').at(-1)}`);
    late.push(at - (record as { readonly receivedAt: number }).receivedAt);
  }
  note('live change on screen, the slowest', Math.max(...late), 'ms', 1_000);
}

/** From the press on a record until the first messages of its ladder are drawn; they are fetched from the host, and the others follow. */
async function ladder({ open: { page, call }, api, there }: DemoConsole): Promise<void> {
  const device = await sayLong(there('sip'), there('domain'), LADDER + 100);
  let record = '';
  await eventually('the record of the ladder is there', async () => {
    const { records: found } = await call('GET', `/record/${there('domain')}?deviceId=${device}&limit=1`);
    record = (found as readonly { readonly recordId: string }[])[0]?.recordId ?? '';
    return record !== '';
  });
  const link = `main a[href="/console/record/${record}"]`;
  const opened = async (): Promise<readonly [number, number]> => {
    await page.goto(`${api}/console/record?deviceId=${device}`);
    await page.waitForSelector(link);
    // A person's pointer comes to a link before the press, and its page is fetched meanwhile.
    await page.hover(link);
    await settling(page)();
    await idle(api, CALM.page);
    return (await page.evaluate(`(async () => {
      const began = performance.now();
      document.querySelector('${link}').click();
      while (document.querySelectorAll('.rung').length === 0) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const ms = performance.now() - began;
      while (document.querySelectorAll('.rung').length < ${LADDER}) await new Promise(requestAnimationFrame);
      return [ms, performance.now() - began];
    })()`)) as readonly [number, number];
  };
  const [firstMs] = await opened();
  console.log(
    `     the first one after the start of host and control plane opens in ${firstMs.toFixed(0)} ms`,
  );
  const [ms, wholeMs] = await opened();
  console.log(`     all its messages are drawn after ${wholeMs.toFixed(0)} ms`);
  note(`ladder of ${LADDER} messages opens`, ms, 'ms', 500);
}
