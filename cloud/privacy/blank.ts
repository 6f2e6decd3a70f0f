/** The text that replaces a name. */
const BLANK = '(erased)';

/** The same with other words for every text that names the subject: the rest stands as it stood. */
function blanked<Value>(value: Value, isIn: (text: string) => boolean): Value {
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return isIn(JSON.stringify(each)) ? BLANK : each;
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value) as Value;
}

/** The rest after an erasure. @returns undefined when it names no subject. */
export function leftOf<Value>(value: Value, isIn: (text: string) => boolean): Value | undefined {
  const left = blanked(value, isIn);
  return JSON.stringify(left) === JSON.stringify(value) ? undefined : left;
}
