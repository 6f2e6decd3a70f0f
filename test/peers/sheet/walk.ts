import type { Page } from 'puppeteer-core';

/** A task of a person, from the first page to its result. */
export interface Task {
  readonly name: string;
  /** Clicks that it may take; absent: it is only counted. */
  readonly most?: number;
  /** Happens in the world before the person begins. */
  readonly before?: () => Promise<unknown>;
  readonly walk: (hand: Hand) => Promise<unknown>;
}

/** The way that a task took. `seconds` are those of the machine: a person thinks besides. */
export interface Walked {
  readonly name: string;
  readonly clicks: number;
  readonly fields: number;
  readonly seconds: number;
  /** The reason why it did not come to its result within its limits. */
  readonly fault?: string;
}

const WITHIN_MS = 90_000;

/** A person at the screen: presses and types what is there, and counts. It never enters an address. */
class Hand {
  readonly page: Page;
  clicks = 0;
  fields = 0;
  /** The act or the wait of now, for the word of a fault. */
  now = '';

  constructor(page: Page) {
    this.page = page;
  }

  sees(text: string): Promise<unknown> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  until(inPage: string): Promise<unknown> {
    this.now = `waited for ${inPage}`;
    return this.page.waitForFunction(inPage, { timeout: WITHIN_MS });
  }

  async click(selector: string): Promise<void> {
    this.clicks += 1;
    this.now = `pressed ${selector}`;
    await this.page.locator(selector).setTimeout(WITHIN_MS).click();
  }

  /** A page of the navigation. */
  go(page: string): Promise<void> {
    return this.click(`nav ::-p-xpath(//a[starts-with(normalize-space(.), "${page}")])`);
  }

  press(label: string): Promise<void> {
    return this.click(`::-p-xpath(//*[self::button or self::summary][normalize-space(.) = "${label}"])`);
  }

  async type(selector: string, text: string): Promise<void> {
    this.fields += 1;
    this.now = `typed into ${selector}`;
    await this.page.locator(selector).setTimeout(WITHIN_MS).fill(text);
  }

  /** The field with this name in its form. */
  fill(name: string, text: string): Promise<void> {
    return this.type(`[name="${name}"]`, text);
  }
}

/** Walks a task from `begin` on; a fault is a result, so that the tasks behind it are walked too. */
export async function walkTask(page: Page, begin: string, task: Task): Promise<Walked> {
  const hand = new Hand(page);
  try {
    await task.before?.();
  } catch (cause) {
    return {
      name: task.name,
      clicks: 0,
      fields: 0,
      seconds: 0,
      fault: `not begun: ${(cause as Error).message}`,
    };
  }
  await page.goto(begin);
  await page.waitForSelector('main h1', { timeout: WITHIN_MS });
  const began = performance.now();
  const fault = await task
    .walk(hand)
    .then(() => undefined)
    .catch((cause: Error) => `${hand.now}: ${cause.message.split('\n')[0]}`);
  const seconds = (performance.now() - began) / 1_000;
  return {
    name: task.name,
    clicks: hand.clicks,
    fields: hand.fields,
    seconds,
    ...judged(task, hand, fault),
  };
}

function judged({ most }: Task, { clicks }: Hand, fault: string | undefined) {
  if (fault !== undefined) return { fault };
  if (most !== undefined && clicks > most) return { fault: `more than ${most} clicks` };
  return {};
}

/** The table of the tasks, as a document takes it. */
export const tableOf = (all: readonly Walked[]): string =>
  [
    '| Task | Clicks | Fields | Seconds | Result |',
    '|---|---|---|---|---|',
    ...all.map(
      ({ name, clicks, fields, seconds, fault }) =>
        `| ${name} | ${clicks} | ${fields} | ${seconds.toFixed(1)} | ${fault ?? 'done'} |`,
    ),
  ].join('\n');
