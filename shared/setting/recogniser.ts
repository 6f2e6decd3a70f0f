import { z } from 'zod';
import { fail, ok, type Result } from '../result.ts';

const id = z.string().regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores');
const shared = {
  id,
  /** BCP 47; absent: any. `sv` speaks for `sv-SE`, too. */
  languages: z.array(z.string().min(2).max(35)).min(1).max(200).optional(),
  /** Utterances at once; the others wait. */
  atOnce: z.number().int().min(1).max(100).default(4),
  /** Longest wait for its answer, s; then the next recogniser is asked. */
  answerWithin: z.number().min(0.05).max(60).default(5),
  /** Recordings are transcribed by it, too; absent: it hears the speech of IVR commands alone. */
  transcribes: z.boolean().optional(),
};
const headers = z.record(z.string().min(1).max(128), z.string().max(8_192)).default({});
const address = (schemes: RegExp, words: string) =>
  z
    .string()
    .max(2_048)
    .refine((url) => schemes.test(url) && URL.canParse(url), words);

const recogniserSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...shared,
    kind: z.literal('exec'),
    /** Program and arguments, each a word of its own; `{language}` is replaced inside an argument. */
    command: z.array(z.string().min(1)).min(1).max(100),
  }),
  z.strictObject({
    ...shared,
    kind: z.literal('http'),
    url: address(/^https?:\/\/[^/]/i, 'must be an address that begins with https:// or http://'),
    headers,
    /** Further fields of the form, such as `model`. */
    fields: z.record(z.string().min(1).max(128), z.string().max(8_192)).default({}),
  }),
  z.strictObject({
    ...shared,
    kind: z.literal('websocket'),
    url: address(/^wss?:\/\/[^/]/i, 'must be an address that begins with wss:// or ws://'),
    headers,
  }),
]);

const listSchema = z
  .array(recogniserSchema)
  .min(1)
  .max(20)
  .refine((all) => new Set(all.map((each) => each.id)).size === all.length, 'must name each id once');

/** A recogniser of speech, as the file of `CARILLON_RECOGNISERS` names it. */
export type RecogniserSetting = z.output<typeof recogniserSchema>;

/** Reads that file: a list, in the order in which recognisers are asked. */
export function readRecognisers(text: string): Result<readonly RecogniserSetting[]> {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (cause) {
    return fail('configurationWrong', `it is no JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
  const read = listSchema.safeParse(said);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the list' : `/${issue.path.join('/')}`;
  return fail('configurationWrong', `${place}: ${issue?.message ?? 'cannot be read'}`);
}
