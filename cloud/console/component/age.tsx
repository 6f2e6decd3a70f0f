import { useLingui } from '@lingui/react/macro';
import { useByNow } from '../client/live.ts';
import { MOMENT } from './wording/figure.ts';

const STEPS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** `14 s`, `3 min`, `2 h`, `5 d`; never negative. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  for (const [size, name] of STEPS) if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  return `${seconds} s`;
}

/**
 * How long ago, with local time and UTC behind it. `at`: epoch ms; `estimated`: worked out, for the clock of the host had no
 * source then.
 */
export function Ago({ at, estimated = false }: { readonly at: number; readonly estimated?: boolean }) {
  const { t, i18n } = useLingui();
  // Most ages of a page change once a minute, and a list has one in each row.
  const age = useByNow((now) => span(now - at));
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={`${estimated ? '~' : ''}${i18n.date(at, MOMENT)} · ${iso}`}>
      {`${estimated ? '~' : ''}${t`${age} ago`}`}
    </time>
  );
}
