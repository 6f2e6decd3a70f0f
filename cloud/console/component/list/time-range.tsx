import { useLingui } from '@lingui/react/macro';
import type { Span } from './list-state.ts';
import type { ListAddress } from './use-list-address.ts';

const CUSTOM = 'custom';

/** The time of a list: a span that moves with the clock, or two moments in the zone of the person. */
export function TimeRange({ address }: { readonly address: ListAddress }) {
  const { t } = useLingui();
  const { span, from, to } = address.state;
  const titles: Readonly<Record<Span, string>> = {
    hour: t`Last hour`,
    day: t`Last 24 hours`,
    week: t`Last 7 days`,
    month: t`Last 30 days`,
  };
  const isCustom = from !== undefined || to !== undefined;
  const choose = (chosen: string): void => {
    if (chosen === CUSTOM) address.between(startOfDay(), undefined);
    else address.during(chosen === '' ? undefined : (chosen as Span));
  };
  return (
    <span className="time-range">
      <select
        aria-label={t`Time`}
        value={isCustom ? CUSTOM : (span ?? '')}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{t`Any time`}</option>
        {Object.entries(titles).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
        <option value={CUSTOM}>{t`From … to …`}</option>
      </select>
      {isCustom && (
        <>
          <Moment label={t`From`} value={from} onChange={(ms) => address.between(ms, to)} />
          <Moment label={t`To`} value={to} onChange={(ms) => address.between(from, ms)} />
        </>
      )}
    </span>
  );
}

function Moment(props: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (ms: number | undefined) => void;
}) {
  return (
    <label>
      {props.label}
      <input
        type="datetime-local"
        value={props.value === undefined ? '' : localText(props.value)}
        onChange={(event) => {
          const ms = new Date(event.currentTarget.value).getTime();
          props.onChange(Number.isNaN(ms) ? undefined : ms);
        }}
      />
    </label>
  );
}

/** `2030-01-01T09:30` in the zone of the browser, as the field of HTML wants it. */
const localText = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const startOfDay = (): number => new Date().setHours(0, 0, 0, 0);
