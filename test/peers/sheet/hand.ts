import type { ElementHandle, Page } from 'puppeteer-core';

/** The work of a person, as it is counted on the way to a result. */
export interface Effort {
  /** Pressed buttons, links and choices; a list of values takes two. */
  readonly clicks: number;
  /** Fields that were filled. */
  readonly fields: number;
  /** Typed characters. A text that is pasted has none. */
  readonly characters: number;
  /** Pages, parts of pages and dialogs that were read. */
  readonly pages: number;
}

/** Seconds of a person: to press something or go into a field, to type a character, to read a page. */
const PACE_S = { click: 1.5, character: 0.3, page: 4 } as const;

/** An estimate of the seconds that a person needs for this effort. */
export const personSeconds = ({ clicks, fields, characters, pages }: Effort): number =>
  PACE_S.click * (clicks + fields) + PACE_S.character * characters + PACE_S.page * pages;

/** The model behind the seconds of a person, in a sentence. */
export const PACE_TEXT = `A person needs ${PACE_S.click} s for a click or to go into a field, ${PACE_S.character} s for a typed character, ${PACE_S.page} s to read a page, a part of a page or a dialog.`;

const WITHIN_MS = 90_000;
const STEP_MS = 100;

/** A text of XPath 1.0, which has no escapes. */
const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Where a person looks: the dialog while one is open, else the page. */
const looked = (...paths: readonly string[]): string =>
  `::-p-xpath(${paths
    .flatMap((path) => [`//dialog[@open]${path}`, `//main[not(//dialog[@open])]${path}`])
    .join(' | ')})`;

const named = (name: string): string =>
  `[normalize-space(.) = ${quoted(name)} or @aria-label = ${quoted(name)}]`;
const BUTTON = '*[self::button or self::summary or self::a]';

/** The field with this label. */
function field(label: string): string {
  const is = `normalize-space(text()) = ${quoted(label)} or normalize-space(.) = ${quoted(label)}`;
  const by = [`@aria-label = ${quoted(label)}`, `@id = //label[${is}]/@for`, `ancestor::label[${is}]`];
  return `//*[self::input or self::select or self::textarea][${by.join(' or ')}]`;
}

/** As much of a list of values as a choice needs: the types of the browser are not those of this program. */
interface ChoiceList {
  readonly options: ArrayLike<{ readonly text: string; readonly value: string }>;
}

/** A row of a table that shows this text. */
const row = (text: string): string =>
  `//*[self::tr or @role="row"][.//*[self::td or @role="gridcell" or @role="rowheader"]][contains(normalize-space(.), ${quoted(text)})]`;

/**
 * A person at the screen: presses and fills what is there by its label, and counts. It never enters an address, and finds nothing
 * by an id or a class.
 */
export class Hand {
  readonly page: Page;
  clicks = 0;
  fields = 0;
  characters = 0;
  pages = 0;
  /** The act or the wait of now, for the word of a fault. */
  now = '';
  #view = '';

  constructor(page: Page) {
    this.page = page;
  }

  sees(text: string): Promise<unknown> {
    this.now = `looked for "${text}"`;
    return this.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`, {
      timeout: WITHIN_MS,
    });
  }

  /** Waits for a state of the page that is no text, such as a sound that plays. */
  until(inPage: string): Promise<unknown> {
    this.now = `waited for ${inPage}`;
    return this.page.waitForFunction(inPage, { timeout: WITHIN_MS });
  }

  /** Sees all of these texts in one row. */
  seesRow(...texts: readonly string[]): Promise<unknown> {
    this.now = `looked for a row with ${texts.join(', ')}`;
    const all = texts.map((text) => `[contains(normalize-space(.), ${quoted(text)})]`).join('');
    return this.page
      .locator(looked(`//*[self::tr or @role="row"]${all}`))
      .setTimeout(WITHIN_MS)
      .wait();
  }

  /** Something in the world that the person waits for or lets others do; it costs no click. */
  async world(name: string, is: () => Promise<boolean>): Promise<void> {
    this.now = `waited until ${name}`;
    const end = performance.now() + WITHIN_MS;
    while (!(await is())) {
      if (performance.now() > end) throw new Error('it did not happen in time');
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  /** A code or command that is to be passed on, also one in a folded part. */
  async read(pattern: RegExp): Promise<string> {
    this.now = `read ${pattern}`;
    const { source, flags } = pattern;
    const texts =
      "[...document.querySelectorAll('main code, main pre')].map((each) => each.textContent).join('\\n')";
    const inPage = `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)}).exec(${texts})?.[1]`;
    const found = await this.page.waitForFunction(inPage, { timeout: WITHIN_MS });
    return String(await found.jsonValue());
  }

  /** A page of the navigation. */
  async go(name: string): Promise<void> {
    this.now = `went to ${name}`;
    await this.#click(`nav ::-p-xpath(//a[starts-with(normalize-space(.), ${quoted(name)})])`);
  }

  /** A button, a link or a part that unfolds, by its whole name. */
  async press(name: string): Promise<void> {
    this.now = `pressed "${name}"`;
    await this.#click(looked(`//${BUTTON}${named(name)}`));
  }

  /** The first button or link whose name begins so. */
  async pressFirst(begin: string): Promise<void> {
    this.now = `pressed "${begin}…"`;
    await this.#click(looked(`//${BUTTON}[starts-with(normalize-space(.), ${quoted(begin)})]`));
  }

  /** The first button, link or part that unfolds with this in its name. */
  async pressWith(text: string): Promise<void> {
    this.now = `pressed the one with "${text}"`;
    await this.#click(looked(`//${BUTTON}[contains(normalize-space(.), ${quoted(text)})]`));
  }

  /** The first row with this text: its link, or the text where the whole row is one. */
  async open(text: string): Promise<void> {
    this.now = `opened the row of "${text}"`;
    // A link behind the whole row is one for its texts.
    const link = 'a[not(@aria-hidden)]';
    const shown = `${row(text)}[not(.//${link})]//*[not(*)][contains(normalize-space(.), ${quoted(text)})]`;
    await this.#click(looked(`${row(text)}//${link}`, shown));
  }

  /** A button or link in the row with this text. */
  async pressIn(text: string, name: string): Promise<void> {
    this.now = `pressed "${name}" in the row of "${text}"`;
    await this.#click(looked(`${row(text)}//${BUTTON}${named(name)}`));
  }

  async tick(label: string): Promise<void> {
    this.now = `ticked "${label}"`;
    await this.#click(looked(field(label)));
  }

  /** The field whose label begins so. */
  async tickWith(begin: string): Promise<void> {
    this.now = `ticked "${begin}…"`;
    await this.#click(looked(`//label[starts-with(normalize-space(.), ${quoted(begin)})]//input`));
  }

  async fill(label: string, text: string): Promise<void> {
    this.now = `filled "${label}"`;
    const selector = looked(field(label));
    await this.#reach(selector);
    this.fields += 1;
    this.characters += text.length;
    await this.page.locator(selector).setTimeout(WITHIN_MS).fill(text);
  }

  /** A value of a list, by the begin of what stands there. */
  async choose(label: string, begin: string): Promise<void> {
    this.now = `chose "${begin}" at "${label}"`;
    const selector = looked(field(label));
    const list = await this.#reach(selector);
    const value = await list.evaluate(
      (found: unknown, text: string) =>
        Array.from((found as ChoiceList).options).find((option) => option.text.startsWith(text))?.value,
      begin,
    );
    if (value === undefined) throw new Error('the list has no such value');
    this.clicks += 2;
    await this.page.locator(selector).setTimeout(WITHIN_MS).fill(value);
  }

  /** A file of the person's computer. */
  async upload(label: string, file: string): Promise<void> {
    this.now = `chose the file at "${label}"`;
    const input = await this.#reach(looked(field(label)));
    this.clicks += 2;
    await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  }

  /** Counts what stands on the screen now as read, once. */
  async look(): Promise<void> {
    const view = String(
      await this.page.evaluate(`[
        document.querySelector('nav') === null ? 'sign-in' : location.pathname,
        new URLSearchParams(location.search).get('part') ?? '',
        document.querySelector('dialog[open] h2')?.textContent ?? '',
      ].join(' ')`),
    );
    if (view === this.#view) return;
    this.#view = view;
    this.pages += 1;
  }

  async #reach(selector: string) {
    const found = await this.page.locator(selector).setTimeout(WITHIN_MS).waitHandle();
    await this.look();
    return found;
  }

  async #click(selector: string): Promise<void> {
    await this.#reach(selector);
    this.clicks += 1;
    await this.page.locator(selector).setTimeout(WITHIN_MS).click();
  }
}
