import type { Entry } from './layout-rule.ts';
import type { Finding } from './source.ts';

/**
 * Words that belong to one machine and must not reach another one: folders of a person or a workplace, and the host
 * packages were fetched from. (Written so that the patterns do not match themselves.)
 */
const PLACES = [
  {
    pattern: /(?<![\w.*-])\/(?:work|home\/[a-z]\w*|Users\/[A-Z]\w*)\/(?=\w)/,
    fault: 'a path of one machine',
  },
  { pattern: /\bshared\/spe[c]\b/, fault: 'a path outside the repository' },
  { pattern: /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\b/, fault: 'the host of a package registry' },
];

/** Mentions of places, line by line. */
export function placesIn({ path, text }: Entry): Finding[] {
  return text.split('\n').flatMap((content, index) =>
    PLACES.filter(({ pattern }) => pattern.test(content)).map(({ fault }) => ({
      path,
      line: index + 1,
      fault,
    })),
  );
}
