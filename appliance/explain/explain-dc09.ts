import { receivedForm } from '#shared/alarm-event/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type AesCbc,
  type Dc09Content,
  type Dc09Message,
  decodeContent,
  decodeMessage,
  eventsOf,
  openContent,
} from '../alarm/protocol/dc09/index.ts';
import { crc16, hex4 } from '../alarm/protocol/framed-ip/index.ts';
import type { Explained } from './explained.ts';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

export interface Dc09Key {
  readonly key: Uint8Array | undefined;
  readonly aes: AesCbc;
}

/** One DC-09 frame, with or without LF and CR. A wrong CRC is reported and the rest still taken apart. */
export function explainDc09(bytes: Uint8Array, key: Dc09Key): Result<Explained> {
  const start = bytes.indexOf(QUOTE);
  if (start === -1) return fail('Malformed', 'no DC-09 frame: there is no quote before the token');
  let end = bytes.length;
  while (end > start && (bytes[end - 1] === CR || bytes[end - 1] === LF)) end--;
  const body = bytes.slice(start, end);
  const head = bytes.slice(bytes[0] === LF ? 1 : 0, start);
  const check = checkOf(head, body);
  const message = decodeMessage(body);
  if (!message.ok) return fail('Malformed', `no DC-09 frame: ${message.error.reason}`);
  const { token, encrypted, sequence, receiver, line, account } = message.value.head;
  const opened = contentOf(message.value, key);
  const fields = {
    token,
    encrypted,
    sequence,
    receiver,
    line,
    account,
    ...(opened.content && {
      data: opened.content.data,
      xdata: opened.content.xdata,
      time: opened.content.timeMs === null ? null : new Date(opened.content.timeMs).toISOString(),
    }),
  };
  const events = opened.content === undefined ? undefined : eventsOf(message.value, opened.content, []);
  const said = events?.ok === true ? events.value : [];
  const alarmEvents = said.map(({ event }) => receivedForm(event));
  return ok({
    protocol: 'dc09',
    fields: said.length === 1 ? { ...fields, ...said[0]?.source.fields } : fields,
    check,
    alarmEvent: alarmEvents[0] ?? null,
    ...(alarmEvents.length > 1 && { alarmEvents }),
    warnings: [
      ...(check.result === 'failed' ? ['wrongCrc'] : []),
      ...(check.lengthOk ? [] : ['length']),
      ...opened.warnings,
      ...(events?.ok === false ? [`notUnderstood: ${events.error.reason}`] : []),
      ...new Set(said.flatMap(({ source }) => source.warnings)),
    ],
  });
}

/** CRC and length as they stand before the body, in hex or with the CRC as two raw bytes. */
function checkOf(head: Uint8Array, body: Uint8Array) {
  const isBinary = head.length === 6;
  const text = Buffer.from(head).toString('latin1');
  const said = isBinary ? hex4(((head[0] ?? 0) << 8) | (head[1] ?? 0)) : text.slice(0, 4).toUpperCase();
  const expected = hex4(crc16(body));
  const lengthOk = Number.parseInt(text.slice(-4), 16) === body.length;
  return {
    policy: 'crc',
    result: said === expected ? 'ok' : 'failed',
    crc: said,
    expected,
    lengthOk,
  } as const;
}

function contentOf(
  { head, body }: Dc09Message,
  { key, aes }: Dc09Key,
): { readonly content?: Dc09Content; readonly warnings: readonly string[] } {
  if (head.encrypted && key === undefined) return { warnings: ['encrypted: give its key with --key'] };
  const content: Result<Dc09Content> =
    head.encrypted && key !== undefined
      ? openContent(body, { key, withData: head.token !== 'NULL' }, aes)
      : ok(decodeContent(body));
  return content.ok
    ? { content: content.value, warnings: content.value.warnings }
    : { warnings: [`content: ${content.error.reason}`] };
}
