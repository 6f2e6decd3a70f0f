import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { FormField } from './schema.ts';

interface InputProps {
  readonly field: FormField;
  readonly value: unknown;
  /** Words for the values of a choice. */
  readonly words?: Readonly<Record<string, string>>;
  readonly onChange: (value: unknown) => void;
  /** Why the server would refuse it; empty: it would not. */
  readonly refusal: string;
}

/** One field with its help, its example and its error beside it. */
export function FieldInput(props: InputProps) {
  const { field, refusal } = props;
  const { schema, label, isRequired } = field;
  const id = useId();
  const help = schema.description === label ? '' : (schema.description ?? '').replace(/\.$/, '');
  const example = exampleOf(field);
  return (
    <div className={refusal === '' ? 'form-field' : 'form-field is-refused'}>
      <label htmlFor={id}>
        {label}
        {schema['x-unit'] !== undefined && <span className="dim"> ({schema['x-unit']})</span>}
        {!isRequired && (
          <span className="dim optional">
            <Trans>optional</Trans>
          </span>
        )}
      </label>
      <Control {...props} id={id} />
      {refusal !== '' && (
        <p className="refused" id={`${id}-refusal`} role="alert">
          {refusal}
        </p>
      )}
      <p className="dim help" id={`${id}-help`}>
        {help}
        {example !== undefined && (
          <>
            {help !== '' && '. '}
            <Trans>
              Example: <code>{example}</code>
            </Trans>
          </>
        )}
      </p>
    </div>
  );
}

/** The example as a person would type it; a value that is chosen needs none. */
function exampleOf({ kind, schema: { example } }: FormField): string | undefined {
  if (example === undefined || kind === 'yesNo' || kind === 'choice') return undefined;
  if (kind === 'texts' && Array.isArray(example)) return example.join('\n');
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function Control({ field, value, words = {}, onChange, refusal, id }: InputProps & { readonly id: string }) {
  const { t } = useLingui();
  const { kind, schema, choices } = field;
  const shared = {
    id,
    name: field.name,
    'aria-describedby': `${id}-help ${id}-refusal`,
    'aria-invalid': refusal !== '',
  };
  const usual = schema.default === undefined ? '' : String(schema.default);
  switch (kind) {
    case 'yesNo':
      return (
        <select
          {...shared}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => {
            const word = event.currentTarget.value;
            onChange(word === '' ? undefined : word === 'true');
          }}
        >
          <option value="">{usual === '' ? '' : t`As usual (${usual === 'true' ? t`yes` : t`no`})`}</option>
          <option value="true">{t`yes`}</option>
          <option value="false">{t`no`}</option>
        </select>
      );
    case 'choice':
      return (
        <select
          {...shared}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        >
          {(!field.isRequired || value === undefined) && (
            <option value="">{usual === '' ? '' : t`As usual (${words[usual] ?? usual})`}</option>
          )}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words[choice] ?? choice}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...shared}
          inputMode="decimal"
          placeholder={usual}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => onChange(numberOf(event.currentTarget.value))}
        />
      );
    case 'texts':
      return (
        <textarea
          {...shared}
          rows={3}
          placeholder={t`One for each line`}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(event) => onChange(linesOf(event.currentTarget.value))}
        />
      );
    case 'text':
      // A key in PEM has lines, which an input would join.
      if (field.name === 'secret')
        return (
          <textarea
            {...shared}
            className="code"
            rows={3}
            spellCheck={false}
            autoComplete="off"
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => onChange(event.currentTarget.value || undefined)}
          />
        );
      return (
        <input
          {...shared}
          {...(field.name === 'password' ? { type: 'password', autoComplete: 'new-password' } : {})}
          value={typeof value === 'string' ? value : ''}
          placeholder={usual}
          maxLength={schema.maxLength}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    default:
      return <JsonInput shared={shared} value={value} onChange={onChange} />;
  }
}

/** A number where it is one, else the text: the server says why it is none. */
function numberOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** Lines as they are typed; an empty one at the end is one that is begun. */
const linesOf = (text: string): readonly string[] | undefined => (text === '' ? undefined : text.split('\n'));

/** A value that the form has no better field for. It is taken when it is JSON. */
function JsonInput(props: {
  readonly shared: Readonly<Record<string, unknown>>;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(props.value === undefined ? '' : JSON.stringify(props.value, null, 2));
  const [isJson, setJson] = useState(true);
  const write = (next: string): void => {
    setText(next);
    try {
      props.onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setJson(true);
    } catch {
      setJson(false);
    }
  };
  return (
    <>
      <textarea
        {...props.shared}
        className="code"
        rows={4}
        spellCheck={false}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
      />
      {!isJson && (
        <p className="refused" role="alert">
          <Trans>This is not JSON yet.</Trans>
        </p>
      )}
    </>
  );
}
