import type { Signal } from '@preact/signals';

/** A line of text that a person writes. */
export function Field(props: {
  readonly label: string;
  readonly value: Signal<string>;
  readonly inputMode?: 'numeric' | 'text';
}) {
  return (
    <label>
      {props.label}
      <input
        value={props.value.value}
        inputMode={props.inputMode ?? 'text'}
        onInput={(event) => {
          props.value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}
