import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { accountName } from './account.ts';
import { readSiaBlocks, type SiaBlockEvent } from './sia-block.ts';

/** One event of a SIA-DCS data field. `modifiers`: `ti` time, `id` user, `ri` area, `pi` peripheral, and others. */
export interface SiaEvent extends SiaBlockEvent {
  /** `#account` before the bar; null = only the head names it. */
  readonly account: string | null;
  /** `ri`. */
  readonly area?: string;
  /** `unreadData`, `tooManyEvents`: the native text says more than the events of its frame. */
  readonly warnings: readonly string[];
}

/** Interop: data without its bar, known by the kind of its event. */
const NO_BAR = /^(?:#([0-9A-Z]{1,16}?))?(?=[NO](?:[a-z]{2}|[A-Z]{2}))/;

/**
 * Reads `#1234|Nri1/FA001^text^` (ANSI/SIA DC-03, DC-09 5.5.1.7); `sia-block.ts` reads the part behind the bar. Several
 * events make several.
 */
export function decodeSia(data: string): Result<readonly SiaEvent[], Failure<'Malformed'>> {
  const parts = partsOf(data);
  if (parts === undefined) return fail('Malformed', 'the data field is not #account|N or O and an event');
  const { events, hasUnread, hasMore } = readSiaBlocks(parts.blocks);
  if (events.length === 0) return fail('Malformed', 'the data field names no event');
  const warnings = [...(hasUnread ? ['unreadData'] : []), ...(hasMore ? ['tooManyEvents'] : [])];
  // A panel that writes one text behind its last event means all of them.
  const common = events.find(({ text }) => text !== undefined)?.text;
  return ok(
    events.map(({ text = common, ...event }) => ({
      account: parts.account,
      ...event,
      ...(event.modifiers.ri && { area: event.modifiers.ri }),
      ...(text !== undefined && { text }),
      warnings,
    })),
  );
}

/** The bar stays with the blocks: digits between two bars are an area. */
function partsOf(data: string): { readonly account: string | null; readonly blocks: string } | undefined {
  const bar = data.indexOf('|');
  if (bar === -1) {
    const found = NO_BAR.exec(data);
    return found === null ? undefined : { account: found[1] ?? null, blocks: data.slice(found[0].length) };
  }
  const before = data.slice(0, bar);
  const account = accountName(before);
  return account === null && before.trim() !== '' ? undefined : { account, blocks: data.slice(bar) };
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
