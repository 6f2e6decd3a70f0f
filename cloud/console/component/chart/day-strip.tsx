import './day-strip.css';

/** A day as its field shows it: nothing is known of one without a tone. */
export interface StripDay {
  /** Begin, epoch ms. */
  readonly begin: number;
  readonly tone: 'good' | 'warn' | 'bad' | '';
  /** The day in words: its title, and what a person hears. */
  readonly words: string;
}

const SIGNS = { good: '', warn: '~', bad: '!', '': '' } as const;

/** Days side by side, the oldest first; each tone has a sign too. */
export function DayStrip({ name, days }: { readonly name: string; readonly days: readonly StripDay[] }) {
  return (
    <ol className="day-strip" aria-label={name}>
      {days.map(({ begin, tone, words }) => (
        <li key={begin} className={tone} title={words}>
          <span className="unseen">{words}</span>
          <span aria-hidden="true">{SIGNS[tone]}</span>
        </li>
      ))}
    </ol>
  );
}
