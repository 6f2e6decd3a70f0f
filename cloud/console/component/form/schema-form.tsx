import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import './form.css';
import { useDraft } from '../../client/draft.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { choiceWordsOf } from './choice-words.ts';
import { ConflictChoice } from './conflict-choice.tsx';
import { useDryRun } from './dry-run.ts';
import { FieldInput } from './field-input.tsx';
import { spoken, useFieldWords } from './field-words.ts';
import { type FormField, fieldsOf, type Schema, type Values, valueAt, withValue } from './schema.ts';
import { withoutSecrets } from './secret.ts';

type Answer = Promise<Result<unknown, CallFailure>>;

/** A part of a form: its title, and the names of its fields in their order. */
export interface FormSection {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly string[];
  /** Stands below its fields and sees the values as they are typed. */
  readonly after?: (values: Values) => ReactNode;
}

export interface SchemaFormProps {
  /** Names what is written and for whom (`trunk/care.example/t-1`): the draft of the tab is kept under it. */
  readonly draft: string;
  readonly schema: Schema;
  /** The resource as it was read, or the beginning of a new one. */
  readonly stored: Values;
  /** First content of the form, where it is not the stored one: a copy, or a proposal. */
  readonly begin?: Values;
  /** Absent: one part, in the order of the contract. Fields that no part names follow the last one. */
  readonly sections?: readonly FormSection[];
  /** Names of fields in the language of the person, by JSON pointer; absent: the name of the API in words. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Fields that a person does not write, or that have no effect beside these values. */
  readonly hidden?: readonly string[] | ((values: Values) => readonly string[]);
  /** Words for the values of a choice, by JSON pointer and value; absent: those of its field (`choice-words.ts`). */
  readonly choiceWords?: ChoiceWords;
  /** Names of the objects that a field can name, by its JSON pointer and their ids: they are chosen, not typed. */
  readonly references?: ChoiceWords;
  /** `?dryRun=true` of `save`. */
  readonly check: (values: Values) => Answer;
  /** Writes it; a status 412 opens the comparison with what another person has saved. */
  readonly save: (values: Values) => Answer;
  /** Reads the resource again, after another person has changed it; absent: it is new. */
  readonly readAgain?: () => Promise<Values | undefined>;
  /** Another way to keep the values, beside "Save". */
  readonly alternative?: { readonly label: string; readonly save: (values: Values) => Answer };
  /** Gets the answer of what has saved it. */
  readonly done: (answer: unknown) => void;
}

type ChoiceWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A form made from a contract. The server judges it while it is typed, and nothing typed is lost with the session. */
export function SchemaForm(props: SchemaFormProps) {
  const {
    schema,
    stored,
    sections = [],
    labels = {},
    hidden = [],
    choiceWords = {},
    references = {},
    check,
    readAgain,
  } = props;
  const { t } = useLingui();
  const say = useFieldWords();
  const draft = useDraft<Values>(props.draft, props.begin ?? stored, (values) =>
    withoutSecrets(schema, values, stored),
  );
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure>();
  const [theirs, setTheirs] = useState<Values>();
  const isChanged = JSON.stringify(draft.value) !== JSON.stringify(stored);
  const judged = useDryRun(draft.value, isChanged, () => check(draft.value));
  const refused = failure ?? judged.failure;
  const unseen = typeof hidden === 'function' ? hidden(draft.value) : hidden;
  const fields = fieldsOf(schema, draft.value)
    .filter(({ name }) => !unseen.includes(name))
    .map((field) => (say === undefined ? field : spoken(field, say)));
  const isReady = !isBusy && isChanged && refused === undefined;

  const submit = async (save: SchemaFormProps['save']): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const answer = await save(draft.value);
    setBusy(false);
    if (answer.ok) {
      draft.forget();
      return props.done(answer.value);
    }
    if (answer.error.status === 412 && readAgain !== undefined) setTheirs(await readAgain());
    else setFailure(answer.error);
  };
  if (say === undefined) return null;
  if (theirs !== undefined)
    return (
      <ConflictChoice
        before={stored}
        mine={draft.value}
        theirs={theirs}
        choose={(values) => {
          draft.write(values);
          setTheirs(undefined);
        }}
      />
    );
  const write = (path: string, value: unknown): void => {
    setFailure(undefined);
    draft.write(withValue(draft.value, path, value));
  };
  return (
    <form
      className="schema-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(props.save);
      }}
    >
      {draft.isKept && (
        <p className="notice" role="status">
          <Trans>These are changes that you have not saved.</Trans>{' '}
          <Trans>Passwords and keys are not among them: type them again.</Trans>{' '}
          <button type="button" className="link" onClick={() => draft.write(stored)}>
            <Trans>Throw them away</Trans>
          </button>
        </p>
      )}
      {partsOf(fields, sections).map(({ id, title, fields: own, after }) => (
        <section key={id} aria-label={title || t`Fields`}>
          {title !== '' && <h2>{title}</h2>}
          {own.map((field) => (
            <Part
              key={field.path}
              field={field}
              values={draft.value}
              labels={labels}
              choiceWords={choiceWords}
              references={references}
              failure={refused}
              write={write}
            />
          ))}
          {after?.(draft.value)}
        </section>
      ))}
      {refused !== undefined && !isAtField(fields, refused) && <ErrorNotice failure={refused} />}
      <p className="form-acts">
        <button type="submit" disabled={!isReady}>
          {isBusy ? t`One moment…` : t`Save`}
        </button>
        {props.alternative !== undefined && (
          <button
            type="button"
            className="plain"
            disabled={!isReady}
            onClick={() => void submit(props.alternative?.save ?? props.save)}
          >
            {props.alternative.label}
          </button>
        )}
        <span className="dim" aria-live="polite">
          {judged.isAsking
            ? t`Checking…`
            : isChanged && refused === undefined
              ? t`The control plane would take it.`
              : ''}
        </span>
      </p>
    </form>
  );
}

interface PartProps {
  readonly field: FormField;
  readonly values: Values;
  readonly labels: Readonly<Record<string, string>>;
  readonly choiceWords: ChoiceWords;
  readonly references: ChoiceWords;
  readonly failure: CallFailure | undefined;
  readonly write: (path: string, value: unknown) => void;
}

/** A field, or a group with its fields. */
function Part(props: PartProps) {
  const { values, labels, failure, write } = props;
  const { t } = useLingui();
  const field = { ...props.field, label: labels[props.field.path] ?? props.field.label };
  if (field.kind === 'group')
    return (
      <details className="form-group" open={valueAt(values, field.path) !== undefined}>
        <summary>{field.label}</summary>
        <p className="dim help">{field.schema.description}</p>
        {field.fields.map((inner) => (
          <Part key={inner.path} {...props} field={inner} />
        ))}
      </details>
    );
  if (field.kind === 'items') return <Items {...props} field={field} />;
  const value = valueAt(values, field.path);
  const named = props.references[field.path];
  return (
    <FieldInput
      field={named === undefined ? field : choosing(field, named, value)}
      value={value}
      words={named ?? props.choiceWords[field.path] ?? choiceWordsOf(field.name, t)}
      onChange={(value) => write(field.path, value)}
      refusal={refusalAt(field.path, failure)}
    />
  );
}

/** The field as a choice of objects by their names. One that is stored and not among them stays, by its id. */
function choosing(field: FormField, named: Readonly<Record<string, string>>, value: unknown): FormField {
  const ids = Object.keys(named).toSorted((a, b) => (named[a] ?? a).localeCompare(named[b] ?? b));
  const isOther = typeof value === 'string' && value !== '' && named[value] === undefined;
  // Its example is an id, which is not typed here.
  const { example: _, ...schema } = field.schema;
  return { ...field, kind: 'choice', schema, choices: isOther ? [value, ...ids] : ids };
}

/** Any number of groups: each can be taken away, and one more begun. */
function Items(props: PartProps) {
  const { field, values, failure, write } = props;
  const { t } = useLingui();
  const refusal = refusalAt(field.path, failure);
  return (
    <fieldset className="form-group" aria-label={field.label}>
      <h3>{field.label}</h3>
      <p className="dim help">{field.schema.description}</p>
      {field.fields.map((item) => (
        <div key={item.path} className="form-item">
          {item.fields.map((inner) => (
            <Part key={inner.path} {...props} field={inner} />
          ))}
          <button type="button" className="link" onClick={() => write(item.path, undefined)}>
            {t`Remove ${item.label}`}
          </button>
        </div>
      ))}
      {refusal !== '' && field.fields.length === 0 && (
        <p className="refused" role="alert">
          {refusal}
        </p>
      )}
      <button
        type="button"
        className="plain"
        onClick={() => write(field.path, [...((valueAt(values, field.path) ?? []) as unknown[]), {}])}
      >
        <Trans>Add one</Trans>
      </button>
    </fieldset>
  );
}

const pathOf = (failure: CallFailure): string => (typeof failure.path === 'string' ? failure.path : '');

/** The sentence without the pointer before it: it stands at the field. */
function refusalAt(path: string, failure: CallFailure | undefined): string {
  if (failure === undefined || !(pathOf(failure) === path || pathOf(failure).startsWith(`${path}/`)))
    return '';
  return failure.reason.replace(/^\/\S+: /, '');
}

const isAtField = (fields: readonly FormField[], failure: CallFailure): boolean =>
  fields.some((field) =>
    field.kind === 'group' || field.kind === 'items'
      ? isAtField(field.fields, failure) || (field.kind === 'items' && refusalAt(field.path, failure) !== '')
      : refusalAt(field.path, failure) !== '',
  );

/** Fields by part; those that no part names stand in one without a title. */
function partsOf(fields: readonly FormField[], sections: readonly FormSection[]) {
  const named = sections.map(({ fields: names, ...part }) => ({
    ...part,
    fields: names.flatMap((name) => fields.find((field) => field.name === name) ?? []),
  }));
  const taken = new Set(sections.flatMap((section) => section.fields));
  const others = {
    id: 'others',
    title: '',
    after: undefined,
    fields: fields.filter(({ name }) => !taken.has(name)),
  };
  return [...named, others].filter((part) => part.fields.length > 0);
}
