import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** One event of a SIA-DCS data field. */
export interface SiaEvent {
  /** `#account` before the bar; null = only the head names it. */
  readonly account: string | null;
  /** N: new event; O: an old one, sent again. */
  readonly isNew: boolean;
  /** Modifiers before the code, by name: `ti` time, `id` user, `ri` area, `pi` peripheral, and others. */
  readonly modifiers: Readonly<Record<string, string>>;
  /** `ri`. */
  readonly area?: string;
  /** Two capital letters. */
  readonly code: string;
  /** Digits behind the code, as received; empty when there are none. */
  readonly zone: string;
  /** Between `^`. */
  readonly text?: string;
}

/** Chosen: more events than one frame of 4 kB needs. */
const MOST_EVENTS = 16;
const ACCOUNT = /^(?:#([0-9A-F]{1,16}))?$/i;
const MODIFIER = /^([a-z]{2})(.*)$/;
const EVENT = /^([A-Z]{2})([0-9A-Fa-f]*)/;

/**
 * Reads `#1234|Nri1/FA001^text^` (ANSI/SIA DC-03, DC-09 5.5.1.7). Pieces stand between `/`: two small letters are
 * modifiers and hold for the events behind them, two capital letters begin an event. Several events make several.
 */
export function decodeSia(data: string): Result<readonly SiaEvent[], Failure<'Malformed'>> {
  const bar = data.indexOf('|');
  const account = ACCOUNT.exec(data.slice(0, Math.max(bar, 0)));
  const kind = data[bar + 1];
  if (bar === -1 || account === null || (kind !== 'N' && kind !== 'O')) {
    return fail('Malformed', 'the data field is not #account|N or O and an event');
  }
  const rest = data.slice(bar + 2);
  const text = /\^([^^]*)\^?/.exec(rest)?.[1];
  const modifiers: Record<string, string> = {};
  const events: SiaEvent[] = [];
  for (const piece of rest.replace(/\^[^^]*\^?/g, '').split('/')) {
    const modifier = MODIFIER.exec(piece);
    if (modifier !== null) {
      modifiers[modifier[1] ?? ''] = modifier[2] ?? '';
      continue;
    }
    const [, code = '', zone = ''] = EVENT.exec(piece) ?? [];
    if (code === '' || events.length === MOST_EVENTS) continue;
    events.push({
      account: account[1] ?? null,
      isNew: kind === 'N',
      modifiers: { ...modifiers },
      ...(modifiers.ri !== undefined && { area: modifiers.ri }),
      code,
      zone,
      ...(text !== undefined && { text }),
    });
  }
  return events.length === 0 ? fail('Malformed', 'the data field names no event') : ok(events);
}

/** One event as data field; the account stands before the bar. */
export function encodeSia(event: {
  readonly account: string;
  readonly area?: string;
  readonly code: string;
  readonly zone: string;
  readonly text?: string;
}): string {
  const area = event.area === undefined ? '' : `ri${event.area}/`;
  const text = event.text === undefined ? '' : `^${event.text.replace(/[\^|[\]\r\n]/g, '')}^`;
  return `#${event.account}|N${area}${event.code}${event.zone}${text}`;
}
