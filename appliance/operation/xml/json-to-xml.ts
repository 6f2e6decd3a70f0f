import { fail, ok, type Result } from '#shared/result.ts';

const NAME = /^[A-Za-z_][\w.-]{0,127}$/;
const MOST_DEPTH = 16;
const MOST_ELEMENTS = 1_000;
const ESCAPE: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A JSON object with one member as XML (`convertJSONtoXML`): members are elements in their order, lists repeat their
 * element, null is an empty one. The reason names what XML cannot say.
 */
export function jsonToXml(text: string): Result<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('invalid', 'the body must be valid JSON');
  }
  const names = isObject(value) ? Object.keys(value) : [];
  const [root] = names;
  if (!isObject(value) || root === undefined || names.length > 1 || Array.isArray(value[root]))
    return fail('invalid', 'the body must be a JSON object with one member, the root element');
  const state = { left: MOST_ELEMENTS };
  return write(root, value[root], 1, state);
}

function write(name: string, value: unknown, depth: number, state: { left: number }): Result<string> {
  if (!NAME.test(name)) return fail('invalid', `"${name.slice(0, 40)}" is not a valid name of an element`);
  if (depth > MOST_DEPTH)
    return fail('invalid', `the body must not be nested deeper than ${MOST_DEPTH} levels`);
  if (--state.left < 0) return fail('invalid', `the body must have at most ${MOST_ELEMENTS} elements`);
  if (!isObject(value)) return ok(`<${name}>${escaped(value)}</${name}>`);
  let inner = '';
  for (const [member, content] of Object.entries(value)) {
    for (const one of Array.isArray(content) ? content : [content]) {
      if (Array.isArray(one))
        return fail('invalid', `${member} must not be a list of lists, because XML cannot express one`);
      const written = write(member, one, depth + 1, state);
      if (!written.ok) return written;
      inner += written.value;
    }
  }
  return ok(`<${name}>${inner}</${name}>`);
}

/** Signs that XML 1.0 (2.2) forbids are left out: they would make the whole body unreadable. */
const escaped = (value: unknown): string =>
  (value === null ? '' : String(value))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the signs that must not be sent
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>]/g, (sign) => ESCAPE[sign] ?? sign);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
