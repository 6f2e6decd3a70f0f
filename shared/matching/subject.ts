/** Whose data: a device as it is or was provisioned, or a person by telephone number or SIP address. */
export type DataSubject = { readonly deviceId: string } | { readonly address: string };

/** Shorter numbers would be found in every second text. */
export const LEAST_DIGITS = 5;

/** The digits of a telephone number without `+` or `00` in front; undefined: it is none. */
export function digitsOf(text: string): string | undefined {
  const bare = text.replace(/^tel:/i, '').replace(/[\s().-]/g, '');
  const [, digits = ''] = /^(?:\+|00)?(\d+)$/.exec(bare) ?? [];
  return digits.length >= LEAST_DIGITS ? digits : undefined;
}

/** Finds a device or a person in stored texts. */
export interface SubjectMatcher {
  /** A part that every text that names it contains: for a database to leave out most of the others. */
  readonly needle: string;
  /** Whether the text names it: as a word of its own, not as part of a longer id or number. */
  readonly isIn: (text: string) => boolean;
}

/**
 * Decides, alike at control plane and host, which rows are about a subject. Texts are JSON as it is stored, often with
 * messages of the protocols in it; so a word is looked for, and no member of a certain name: an erasure removes exactly the
 * rows that an export shows.
 *
 * A device id is a word between signs that no id has. A number is one with or without `+` or `00`. A SIP address is its
 * user part and host, whatever the scheme and its parameters.
 */
export function subjectMatcher(subject: DataSubject): SubjectMatcher {
  if ('deviceId' in subject) return wordMatcher(inJson(subject.deviceId), isIdSign);
  const digits = digitsOf(subject.address);
  if (digits !== undefined) return wordMatcher(digits, isDigitOrLetter, skipNumberPrefix);
  return wordMatcher(inJson(subject.address.replace(/^sips?:/i, '')), isIdSign);
}

/** A text as it stands within a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function wordMatcher(
  word: string,
  belongs: (text: string, at: number, step: -1 | 1) => boolean,
  begin: (text: string, at: number) => number = (_, at) => at,
): SubjectMatcher {
  return {
    needle: word,
    isIn: (text) => {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
        if (!belongs(text, begin(text, at) - 1, -1) && !belongs(text, at + word.length, 1)) return true;
      return false;
    },
  };
}

/** Letters, digits, `_` and `-`; a point when more of the id follows it. */
function isIdSign(text: string, at: number, step: -1 | 1): boolean {
  const sign = text[at];
  if (sign === undefined || isEscape(text, at, step)) return false;
  if (sign === '.') return /[\p{L}\p{N}_-]/u.test(text[at + step] ?? '');
  return /[\p{L}\p{N}_-]/u.test(sign);
}

function isDigitOrLetter(text: string, at: number, step: -1 | 1): boolean {
  const sign = text[at];
  return sign !== undefined && /[\p{L}\p{N}]/u.test(sign) && !isEscape(text, at, step);
}

/** The `n` of a line break as JSON writes it stands before a word and is none of it. */
const isEscape = (text: string, at: number, step: -1 | 1): boolean =>
  step === -1 && text[at - 1] === '\\' && /[bfnrt]/.test(text[at] ?? '');

function skipNumberPrefix(text: string, at: number): number {
  if (text[at - 1] === '+') return at - 1;
  return text.slice(Math.max(0, at - 2), at) === '00' ? at - 2 : at;
}
