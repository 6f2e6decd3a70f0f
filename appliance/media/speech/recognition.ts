import { fail, ok, type Result } from '#shared/result.ts';
import type { SpeechResult, SpokenText } from '../control/index.ts';

/** Chosen: no utterance has a longer text, characters, and no application reads more alternatives. */
const LONGEST_TEXT = 10_000;
const MOST_ALTERNATIVES = 10;

/** The words of a recogniser for one utterance. No words: `text` is empty. */
export interface Recognition extends SpokenText {
  readonly alternatives: readonly SpokenText[];
}

/**
 * The answer of a recogniser: `{"text", "confidence", "alternatives": [{"text", "confidence"}]}`. `text` may be absent where
 * there are alternatives; the confidence of single words (`result: [{"conf"}]`) stands for that of the text.
 */
export function readRecognition(said: unknown): Result<Recognition> {
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    return fail('unreadable', 'its answer is no JSON object');
  const fields = said as Readonly<Record<string, unknown>>;
  const others = Array.isArray(fields.alternatives)
    ? fields.alternatives.slice(0, MOST_ALTERNATIVES).flatMap(spokenText)
    : [];
  if (fields.text === undefined && others.length > 0) {
    const [first = { text: '' }, ...alternatives] = others;
    return ok({ ...first, alternatives });
  }
  const [own] = spokenText({ confidence: wordConfidence(fields.result), ...fields });
  if (own === undefined) return fail('unreadable', 'its answer has no text');
  if (own.text.length > LONGEST_TEXT)
    return fail(
      'unreadable',
      `its answer has ${own.text.length} characters; an utterance has ${LONGEST_TEXT}`,
    );
  return ok({ ...own, alternatives: others });
}

function spokenText(said: unknown): readonly SpokenText[] {
  const { text, confidence } = (said ?? {}) as { readonly text?: unknown; readonly confidence?: unknown };
  if (typeof text !== 'string') return [];
  const words = text.replaceAll(/\s+/g, ' ').trim();
  if (typeof confidence !== 'number' || Number.isNaN(confidence)) return [{ text: words }];
  return [{ text: words, confidence: Math.min(1, Math.max(0, confidence)) }];
}

/** The mean of the words, as recognisers of the Vosk protocol give it. */
function wordConfidence(words: unknown): number | undefined {
  if (!Array.isArray(words)) return undefined;
  const known = words.flatMap((word: { readonly conf?: unknown } | null) =>
    typeof word?.conf === 'number' ? [word.conf] : [],
  );
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** The result for the application. Without a confidence of the recogniser `leastConfidence` says nothing. */
export function resultOf(
  { alternatives, ...own }: Recognition,
  { leastConfidence }: { readonly leastConfidence: number },
): SpeechResult {
  if (own.text === '') return { reason: 'noMatch' };
  const low = own.confidence !== undefined && own.confidence < leastConfidence;
  return {
    reason: low ? 'lowConfidence' : 'recognised',
    ...own,
    ...(alternatives.length > 0 && { alternatives: [...alternatives] }),
  };
}
