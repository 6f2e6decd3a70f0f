import { useLingui } from '@lingui/react/macro';
import { type Entry, RESULTS, SIGNS, TONES } from './record-words.ts';

/** The result of a session as colour, sign and words. */
export function ResultBadge({ result }: { readonly result: Entry['result'] }) {
  const { t } = useLingui();
  return (
    <span className={`badge ${TONES[result]}`}>
      <span aria-hidden="true">{SIGNS[result]}</span> {t(RESULTS[result])}
    </span>
  );
}
