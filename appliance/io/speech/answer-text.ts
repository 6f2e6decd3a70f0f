import { fail, type Result } from '#shared/result.ts';
import { type Recognition, readRecognition } from '../../media/speech/index.ts';

/** Chosen: so much of an answer that cannot be read is shown, characters. */
const SHOWN = 80;

/** The answer of a recogniser, one JSON object. */
export function answerText(text: string): Result<Recognition> {
  if (text.trim() === '') return fail('unreadable', 'it has answered nothing');
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return fail('unreadable', `its answer is no JSON: ${JSON.stringify(text.trim().slice(0, SHOWN))}`);
  }
  return readRecognition(said);
}
