import { RECEIVE_LIST } from './receive-list.codes.ts';
import { SEND_LIST } from './send-list.codes.ts';
import { RECEIVE_ONLY, SEND_ONLY } from './translation.codes.ts';

/** Coded fields of the alarm event that both lists name. */
export type ListField = keyof typeof SEND_LIST;
export type SendValue<F extends ListField> = (typeof SEND_LIST)[F][number];
export type ReceiveValue<F extends ListField> = (typeof RECEIVE_LIST)[F][number];

const has = (list: readonly string[], value: string): boolean => list.includes(value);

export function isSendValue<F extends ListField>(field: F, value: string): value is SendValue<F> {
  return has(SEND_LIST[field], value);
}

export function isReceiveValue<F extends ListField>(field: F, value: string): value is ReceiveValue<F> {
  return has(RECEIVE_LIST[field], value);
}

/** The word of the receive list for a word of either list; null when the list has none or the word is foreign. */
export function receiveAs<F extends ListField>(field: F, value: string): ReceiveValue<F> | null {
  if (isReceiveValue(field, value)) return value;
  const word = wordIn(SEND_ONLY[field], value);
  return word !== null && isReceiveValue(field, word) ? word : null;
}

/** The word of the send list for a word of either list; null when the list has none or the word is foreign. */
export function sendAs<F extends ListField>(field: F, value: string): SendValue<F> | null {
  if (isSendValue(field, value)) return value;
  const word = wordIn(RECEIVE_ONLY[field], value);
  return word !== null && isSendValue(field, word) ? word : null;
}

function wordIn(words: Readonly<Record<string, string | null>>, value: string): string | null {
  return Object.hasOwn(words, value) ? (words[value] ?? null) : null;
}
