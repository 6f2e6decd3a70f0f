import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { type Entry, RESULTS, SIGNS, TONES } from './record-words.ts';

/** The result of a session as colour, sign and words. */
export function ResultBadge({ result }: { readonly result: Entry['result'] }) {
  const { t } = useLingui();
  return resultBadge(result, t);
}

/** The same for a cell of a list: a component is drawn for every row that comes in sight. */
export const resultBadge = (
  result: Entry['result'],
  say: (sentence: MessageDescriptor) => string,
): ReactNode => (
  <span className={`badge ${TONES[result]}`}>
    <span aria-hidden="true">{SIGNS[result]}</span> {say(RESULTS[result])}
  </span>
);
