import { inSlices } from './slices.ts';

/** Text that is encoded at once. */
const PART_CHARACTERS = 256 * 1024;
/** Lists below this depth are short. */
const DEPTH = 2;

/** The text that `JSON.stringify` makes of it, in slices: an object whose members, and theirs, may be long lists. */
export async function slicedJson(value: object): Promise<Buffer> {
  const parts: Buffer[] = [];
  let text = '';
  await inSlices(textsOf(value, DEPTH), (next) => {
    text += next;
    if (text.length < PART_CHARACTERS) return;
    parts.push(Buffer.from(text));
    text = '';
  });
  return Buffer.concat([...parts, Buffer.from(text)]);
}

function* textsOf(value: unknown, depth: number): Iterable<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [at, item] of value.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`;
    yield ']';
  } else if (depth > 0 && isPlain(value)) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* textsOf(member, depth - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** Others may say themselves how they are written (`toJSON`). */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
