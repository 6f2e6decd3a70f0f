import type { Command } from 'commander';
import { bold, dim, green, red, say } from '../../../io/terminal/terminal.ts';
import { type Language, languageOf, type Say, sayOr, speaker } from '../../../text/index.ts';
import { oneOf } from '../../option/option-word.ts';

/** Flags that every technician's command knows. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly lang?: string;
}

export interface PlanFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** The user at the other end: a person in their language, or a program that reads JSON lines. */
export interface Person {
  readonly language: Language;
  readonly text: Say;
  readonly json: boolean;
  /** A line for a person; a program does not get it. */
  readonly line: (text?: string) => void;
  /** One JSON line for a program; a person does not get it. */
  readonly record: (value: object) => void;
  readonly stepText: (id: string) => string;
}

export function personOf({ json = false, lang }: CommonFlags): Person {
  const { CARILLON_LANG, LC_ALL, LC_MESSAGES, LANG } = process.env;
  const language = languageOf(lang, CARILLON_LANG, LC_ALL, LC_MESSAGES, LANG);
  const text = speaker(language);
  return {
    language,
    text,
    json,
    line: (line = '') => {
      if (!json) say(line);
    },
    record: (value) => {
      if (json) say(JSON.stringify(value));
    },
    stepText: (id) => sayOr(text, `step.${id}`, {}, id),
  };
}

/** `ok`, `note` or `FAILED` before a point, of one width. */
export function mark(person: Person, verdict: 'ok' | 'warning' | 'failure' | 'skipped'): string {
  const words = (['ok', 'warning', 'failure', 'skipped'] as const).map((each) =>
    person.text(`state.${each}`),
  );
  const width = Math.max(...words.map((word) => word.length));
  const word = person.text(`state.${verdict}`).padEnd(width);
  return verdict === 'ok' ? green(word) : verdict === 'failure' ? red(bold(word)) : dim(word);
}

export const withCommonFlags = (command: Command): Command =>
  command
    .option('--json', 'one JSON object per line, for programs')
    .option(
      '--lang <language>',
      'en, sv or de (default: CARILLON_LANG, then the language of this terminal)',
      oneOf(['en', 'sv', 'de']),
    );

export const withPlanFlags = (command: Command): Command =>
  withCommonFlags(command)
    .option('--yes', 'do not ask')
    .option('--dry-run', 'print what would happen, and end');
