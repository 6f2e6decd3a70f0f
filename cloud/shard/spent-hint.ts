import { z } from 'zod';

const MARK = 'spent ';
const schema = z.object({ from: z.string(), spent: z.record(z.string(), z.number()) });

/** A replica tells the others how many tokens callers took there, by bucket. */
export type SpentHint = Readonly<z.output<typeof schema>>;

/** The text of the hint. */
export const spentHint = (hint: SpentHint): string => `${MARK}${JSON.stringify(hint)}`;

/** Undefined: a hint about something else. One of another version says nothing. */
export function readSpentHint(text: string): SpentHint | undefined {
  if (!text.startsWith(MARK)) return undefined;
  try {
    return schema.parse(JSON.parse(text.slice(MARK.length)));
  } catch {
    return { from: '', spent: {} };
  }
}
