import type { Family } from './family.ts';

/**
 * The families as text of format 0.0.4, in the order given; each ends with a line feed. Two of one name, which two parts of a
 * program know about, stand under the head of the first: the format wants them together.
 */
export function exposition(families: Iterable<Family>): string {
  const byName = Map.groupBy(families, ({ name }) => name);
  return [...byName.values()].map(textOf).join('');
}

function textOf(alike: readonly Family[]): string {
  const [first] = alike;
  if (first === undefined) return '';
  const { name, kind, help } = first;
  const samples = alike.flatMap((family) => family.samples());
  const lines = samples.map(({ suffix, labels, value }) => {
    const named = labels === '' ? `${name}${suffix}` : `${name}${suffix}{${labels}}`;
    return `${named} ${shown(value)}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

const shown = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
