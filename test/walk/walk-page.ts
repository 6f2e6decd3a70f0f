/** One walk of `docs/architecture.md`. */
export interface WrittenWalk {
  readonly title: string;
  /** The files that its numbered steps name, each where it is named first. */
  readonly files: readonly string[];
  /** The count that the page gives of files passed; undefined: it gives none. */
  readonly passed: number | undefined;
}

const HEADING = /^## Walk \d+: /m;
const FILE = /`((?:appliance|cloud|shared)\/[\w./-]+\.tsx?)`/g;
const PASSED = /^Files passed: (\d+)\./m;

/** The walks of the page by their titles. */
export function walksOf(page: string): ReadonlyMap<string, WrittenWalk> {
  const walks = page
    .split(HEADING)
    .slice(1)
    .map((section) => section.split(/^## /m)[0] ?? '');
  return new Map(walks.map((section) => [titleOf(section), writtenWalk(section)]));
}

const titleOf = (section: string): string => section.slice(0, section.indexOf('\n')).trim();

function writtenWalk(section: string): WrittenWalk {
  // A paragraph that is no step may name what lies beside the way.
  const steps = section.split(/\n\n/).filter((paragraph) => /^\d+\. /.test(paragraph));
  const files = steps.flatMap((text) => [...text.matchAll(FILE)].map(([, file = '']) => file));
  const passed = PASSED.exec(section)?.[1];
  return {
    title: titleOf(section),
    files: [...new Set(files)],
    passed: passed === undefined ? undefined : Number(passed),
  };
}
