import { eventTable, SIA_EVENTS } from '#shared/alarm-event/index.ts';

const siaTable = eventTable(SIA_EVENTS);

/** One event as a block names it. */
export interface SiaBlockEvent {
  /** N: new event; O: an old one, sent again. */
  readonly isNew: boolean;
  /** Modifiers before the code, by name. */
  readonly modifiers: Readonly<Record<string, string>>;
  /** Two capital letters. */
  readonly code: string;
  /** Digits behind the code, as received; empty when there are none. */
  readonly zone: string;
  readonly text?: string;
}

export interface SiaReading {
  readonly events: readonly SiaBlockEvent[];
  /** A part of the text has no meaning here; `raw` of the event holds it. */
  readonly hasUnread: boolean;
  /** More events than one frame may make. */
  readonly hasMore: boolean;
}

/** Chosen: a frame of 8 KiB may name thousands of events, and each becomes a session. */
const MOST_EVENTS = 64;

/** Modifiers of ANSI/SIA DC-03 that name no event code in capitals: time, user, area, peripheral, value, level. */
const CAPITAL_MODIFIER = '(?:TI|ID|RI|PI|VA|LV)(?=\\d)';

const KIND = /([NO])(?=[a-z]{2}|[A-Z]{2}|[/^]|$)/y;
const SEPARATORS = /\/+/y;
/** Interop: blanks and commas between pieces, where a piece with its number follows. */
const LOOSE_SEPARATORS = /[\s,;_-]+(?=(?:[a-z]{2}|[A-Z]{2})\d)/y;
const BAR = /\|\s*(?:(\d{1,4})\s*(?=\|))?/y;
const TEXT = /\^([^^]*)\^?/y;
const MODIFIER = new RegExp(`[a-z]{2}|${CAPITAL_MODIFIER}`, 'y');
const TAIL = /[^/^|]*/y;
/** The digits of a modifier that a code or another modifier follows without a slash. */
const DIGITS = /[^A-Za-z/^|]+(?=[A-Z]{2}|[a-z]{2})/y;
const ANY_DIGITS = /[^A-Za-z/^|]*/y;
const CODE = /([A-Z]{2})([0-9A-Fa-f]{0,32})/y;
const UNREAD = /[^/^|]+/y;
/** How a piece may go on behind an event. */
const AFTER_EVENT = /^(?:[/^|]|$|[A-Z]{2}|[a-z]{2}|[\s,;_-]+(?:[a-z]{2}|[A-Z]{2})\d)/;

/**
 * Reads `Nri1/BA5^text^|NFA6`: two small letters and their digits are a modifier of the events behind it, two capitals
 * and their digits are an event. Modifiers are digits and a code is two capitals, so a slash between them may be absent.
 */
export function readSiaBlocks(text: string): SiaReading {
  const strict = new SiaReader(text, DIGITS).read();
  if (strict.events.length > 0) return strict;
  // Interop: a modifier without its digits takes nothing of the code behind it.
  const eager = new SiaReader(text, ANY_DIGITS).read();
  if (eager.events.length > 0) return eager;
  // Interop: a panel that writes small letters only.
  return new SiaReader(text.toUpperCase(), ANY_DIGITS).read();
}

class SiaReader {
  readonly #text: string;
  readonly #digits: RegExp;
  readonly #events: (SiaBlockEvent & { text?: string })[] = [];
  #at = 0;
  #isNew = true;
  #modifiers: Record<string, string> = {};
  /** A text before the first event of its block. */
  #textAhead: string | undefined;
  #hasUnread = false;
  #hasMore = false;

  constructor(text: string, digits: RegExp) {
    this.#text = text;
    this.#digits = digits;
  }

  read(): SiaReading {
    this.#kind();
    while (this.#at < this.#text.length) this.#piece();
    return { events: this.#events, hasUnread: this.#hasUnread, hasMore: this.#hasMore };
  }

  #piece(): void {
    if (this.#match(SEPARATORS) !== null || this.#match(LOOSE_SEPARATORS) !== null) return;
    if (this.#bar() || this.#caretText() || this.#modifier() || this.#event()) return;
    this.#unread();
  }

  #kind(): void {
    const kind = this.#match(KIND);
    if (kind !== null) this.#isNew = kind[1] === 'N';
  }

  /** Another block; digits between two bars are its area. */
  #bar(): boolean {
    const bar = this.#match(BAR);
    if (bar === null) return false;
    if (bar[1] !== undefined) this.#modifiers = { ...this.#modifiers, ri: bar[1] };
    this.#kind();
    return true;
  }

  /** A text belongs to the event before it. */
  #caretText(): boolean {
    const found = this.#match(TEXT);
    if (found === null) return false;
    const last = this.#events.at(-1);
    if (last === undefined) this.#textAhead ??= found[1];
    else last.text ??= found[1] ?? '';
    return true;
  }

  /** Holds for every event behind it. */
  #modifier(): boolean {
    const found = this.#match(MODIFIER);
    if (found === null) return false;
    // Without a slash behind its digits the piece goes on with a code.
    const [value = ''] = this.#match(this.#digits) ?? this.#match(TAIL) ?? [];
    this.#modifiers = { ...this.#modifiers, [found[0].toLowerCase()]: value };
    return true;
  }

  #event(): boolean {
    const found = this.#match(CODE);
    if (found === null) return false;
    const [, code = '', run = ''] = found;
    const zone = run.slice(0, this.#zoneLength(run));
    this.#at -= run.length - zone.length;
    if (this.#events.length === MOST_EVENTS) {
      this.#hasMore = true;
      return true;
    }
    const text = this.#textAhead;
    this.#textAhead = undefined;
    this.#events.push({
      isNew: this.#isNew,
      modifiers: this.#modifiers,
      code,
      zone,
      ...(text !== undefined && { text }),
    });
    // A text in another form ends the piece: two capitals inside it are no event.
    if (!AFTER_EVENT.test(this.#text.slice(this.#at, this.#at + 12))) this.#unread();
    return true;
  }

  /** Letters behind the digits belong to the zone, unless two of them are a code or the name of a modifier. */
  #zoneLength(run: string): number {
    for (let i = 0; i < run.length; i++) {
      const at = this.#at - run.length + i;
      const pair = this.#text.slice(at, at + 2);
      if (siaTable.lookup(pair) !== undefined || pair === 'da') return i;
    }
    return run.length;
  }

  #unread(): void {
    this.#hasUnread = true;
    if (this.#match(UNREAD) === null) this.#at++;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}
