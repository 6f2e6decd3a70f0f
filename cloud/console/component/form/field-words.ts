import { useLingui } from '@lingui/react';
import { useEffect, useState } from 'react';
import type { FormField } from './schema.ts';

type Words = Readonly<Record<string, string>>;
/** English words of a contract in the language of the person; a word that the language lacks stays. */
export type Say = (english: string) => string;

/** The languages beside that of the contracts: fetched with the first form, so that no other page waits for them. */
const FILES: Readonly<Record<string, () => Promise<{ readonly FIELD_WORDS: Words }>>> = {
  sv: () => import('../../text/field/sv.ts'),
  de: () => import('../../text/field/de.ts'),
};
const fetched = new Map<string, Words>();

/** The words of fields in the language of the person; undefined: they are on their way. */
export function useFieldWords(): Say | undefined {
  const { locale } = useLingui().i18n;
  const [, setFetched] = useState('');
  const file = FILES[locale];
  useEffect(() => {
    if (file === undefined || fetched.has(locale)) return;
    // Words that do not come are no reason to show no form.
    void file()
      .then(({ FIELD_WORDS }) => FIELD_WORDS)
      .catch((): Words => ({}))
      .then((words) => {
        fetched.set(locale, words);
        setFetched(locale);
      });
  }, [file, locale]);
  const words = file === undefined ? {} : fetched.get(locale);
  return words === undefined ? undefined : (english) => words[english] ?? english;
}

/** A field with its name, help and unit in the language of the person, and so the fields in it. */
export function spoken(field: FormField, say: Say): FormField {
  const { description, 'x-unit': unit } = field.schema;
  return {
    ...field,
    label: say(field.label),
    schema: {
      ...field.schema,
      ...(description === undefined ? {} : { description: say(description) }),
      ...(unit === undefined ? {} : { 'x-unit': say(unit) }),
    },
    fields: field.fields.map((each) => spoken(each, say)),
  };
}
