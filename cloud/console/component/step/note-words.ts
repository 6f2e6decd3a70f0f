import type { MessageDescriptor } from '@lingui/core';
import { ALARM_NOTES } from './note-alarm.ts';
import { CALL_NOTES } from './note-call.ts';
import { INCIDENT_NOTES } from './note-incident.ts';
import { PLATFORM_NOTES } from './note-platform.ts';
import { RAISED_NOTES } from './note-raised.ts';
import { REASON_NOTES } from './note-reason.ts';
import { SENDING_NOTES } from './note-sending.ts';
import type { NoteTable } from './note-table.ts';
import { OUTCOMES } from './outcome-words.ts';

export type Say = (sentence: MessageDescriptor) => string;
type Row = NoteTable[string];

/** A text that is longer is no note of a host, and is not searched. */
const MOST_SIGNS = 2_000;

const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...Object.entries(OUTCOMES),
  ...[
    ALARM_NOTES,
    SENDING_NOTES,
    CALL_NOTES,
    REASON_NOTES,
    RAISED_NOTES,
    INCIDENT_NOTES,
    PLATFORM_NOTES,
  ].flatMap((table) => Object.entries(table)),
]);

/** The sentences with values: the one that says most goes first. */
const FORMS = [...ROWS]
  .flatMap(([sentence, row]) =>
    typeof row === 'function' ? [{ form: formOf(sentence), row, sentence }] : [],
  )
  .toSorted((a, b) => lengthOf(b.sentence) - lengthOf(a.sentence));

function formOf(sentence: string): RegExp {
  const parts = sentence.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [first, ...others] = parts;
  // `Host gw-1 cannot be drained. 3 alarm calls go on`: the whole sentence is before the one within it.
  const begin = first === '' ? '((?:(?!\\. ).)*?)' : `${first}(.*?)`;
  return new RegExp(`^${begin}${others.join('(.*?)')}$`, 's');
}

function lengthOf(sentence: string): number {
  return sentence.replaceAll('…', '').length;
}

/** Whether the console has words for this sentence of a host, with `…` for each value. */
export const isKnownNote = (sentence: string): boolean => ROWS.has(sentence);

/** A note of a host in the language of the person; one that the console does not know stays as the host wrote it. */
export const noteText = (text: string, say: Say): string => wordsOf(text, say) ?? text;

function wordsOf(text: string, say: Say): string | undefined {
  const row = ROWS.get(text);
  if (row !== undefined && typeof row !== 'function') return say(row);
  if (text.length > MOST_SIGNS) return undefined;
  for (const { form, row: words } of FORMS) {
    const values = form.exec(text)?.slice(1);
    if (values !== undefined) return say(words(...values.map((value) => noteText(value, say))));
  }
  return behindName(text, say);
}

/** `12ab.1: the ACK was not sent`, `SIP 404 no receiver of the message`: a sentence behind a name or a status. */
const BEHIND = /^((?:SIP |Q\.850 )?\d{1,3} |.*?: )(.+)$/s;

function behindName(text: string, say: Say): string | undefined {
  const [, before = '', sentence] = BEHIND.exec(text) ?? [];
  const words = sentence === undefined ? undefined : wordsOf(sentence, say);
  return words === undefined ? undefined : `${before}${words}`;
}
