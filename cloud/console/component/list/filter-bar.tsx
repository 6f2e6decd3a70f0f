import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { FilterChoice, ListFilter } from './list-column.ts';
import type { Span } from './list-state.ts';
import { TimeRange } from './time-range.tsx';
import type { ListAddress } from './use-list-address.ts';

/** The filters of a list: those that are set as chips, one button for the others, and the time. */
export function FilterBar(props: {
  readonly filters: readonly ListFilter[];
  readonly address: ListAddress;
  readonly hasTime: boolean;
  readonly spans?: readonly Span[];
}) {
  const { filters, address, hasTime } = props;
  const { state, filter, clear } = address;
  const set = filters.filter(({ name }) => state.filters[name] !== undefined);
  const free = filters.filter(({ name }) => state.filters[name] === undefined);
  const isSet =
    set.length > 0 || state.span !== undefined || state.from !== undefined || state.to !== undefined;
  return (
    <div className="filter-bar">
      {hasTime && <TimeRange address={address} />}
      {set.map((each) => (
        <Chip key={each.name} filter={each} value={state.filters[each.name] ?? ''} onChange={filter} />
      ))}
      {free.length > 0 && <AddFilter filters={free} onChange={filter} />}
      {isSet && (
        <button type="button" className="link" onClick={clear}>
          <Trans>Clear all</Trans>
        </button>
      )}
    </div>
  );
}

type Change = (name: string, value: string | undefined) => void;

function Chip(props: { readonly filter: ListFilter; readonly value: string; readonly onChange: Change }) {
  const { filter, value, onChange } = props;
  const { t } = useLingui();
  const title = filter.choices?.find((choice) => choice.value === value)?.title ?? value;
  return (
    <span className="chip">
      <DialogTrigger>
        <Button className="chip-text">
          {filter.title}: <strong>{title}</strong>
        </Button>
        <Popover className="popover">
          <Dialog aria-label={filter.title}>
            {({ close }) => <ValueForm filter={filter} value={value} onChange={onChange} close={close} />}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <button
        type="button"
        className="chip-off"
        aria-label={t`Remove the filter ${filter.title}`}
        onClick={() => onChange(filter.name, undefined)}
      >
        ×
      </button>
    </span>
  );
}

function AddFilter({
  filters,
  onChange,
}: {
  readonly filters: readonly ListFilter[];
  readonly onChange: Change;
}) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<ListFilter>();
  return (
    <DialogTrigger onOpenChange={() => setChosen(filters.length === 1 ? filters[0] : undefined)}>
      <Button className="plain">
        <Trans>Add a filter</Trans>
      </Button>
      <Popover className="popover" placement="bottom start">
        <Dialog aria-label={t`Add a filter`}>
          {({ close }) =>
            chosen === undefined ? (
              <ul className="option-list">
                {filters.map((each) => (
                  <li key={each.name}>
                    <button type="button" className="option" onClick={() => setChosen(each)}>
                      {each.title}
                    </button>
                  </li>
                ))}
              </ul>
            ) : (
              <ValueForm filter={chosen} value="" onChange={onChange} close={close} />
            )
          }
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function ValueForm(props: {
  readonly filter: ListFilter;
  readonly value: string;
  readonly onChange: Change;
  readonly close: () => void;
}) {
  const { filter, value, onChange, close } = props;
  const [text, setText] = useState(value);
  const take = (next: string): void => {
    onChange(filter.name, next.trim() === '' ? undefined : next.trim());
    close();
  };
  if (filter.choices !== undefined)
    return (
      <ul className="option-list">
        {filter.choices.map((choice) => (
          <li key={choice.value}>
            <Option choice={choice} isChosen={choice.value === value} take={take} />
          </li>
        ))}
      </ul>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take(text);
      }}
    >
      <label>
        {filter.title}
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          value={text}
          placeholder={filter.placeholder}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">
        <Trans>Apply</Trans>
      </button>
    </form>
  );
}

/** One value, with the number of rows that have it where the answer counts them. */
const Option = (props: {
  readonly choice: FilterChoice;
  readonly isChosen: boolean;
  readonly take: (value: string) => void;
}) => (
  <button
    type="button"
    className="option"
    aria-pressed={props.isChosen}
    onClick={() => props.take(props.choice.value)}
  >
    {props.choice.title}
    {props.choice.count !== undefined && (
      <span className="dim number">{i18n.number(props.choice.count)}</span>
    )}
  </button>
);
