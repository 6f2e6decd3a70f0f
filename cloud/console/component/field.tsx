/** A line of text that a person writes. */
export function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputMode?: 'numeric' | 'text';
}) {
  return (
    <label>
      {props.label}
      <input
        value={props.value}
        inputMode={props.inputMode ?? 'text'}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}
