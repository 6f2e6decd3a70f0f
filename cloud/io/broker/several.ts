import type { Ability } from './ability.ts';
import type { Finding } from './probe.ts';

/** The address without user name and password, as logs and people may see it. */
export function shownUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** The abilities that all brokers have: hosts may be at any of them. */
export const sharedAbilities = ([first = [], ...others]: readonly (readonly Ability[])[]): Ability[] =>
  first.map((ability) => ({
    ...ability,
    able:
      ability.able && others.every((each) => each.find(({ name }) => name === ability.name)?.able === true),
  }));

/** One finding for each property: that of the first broker where it is not well, named, else the common one. */
export function worstFindings(
  all: readonly { readonly at: string; readonly findings: readonly Finding[] }[],
): Finding[] {
  const names = [...new Set(all.flatMap(({ findings }) => findings.map(({ name }) => name)))];
  return names.flatMap((name) => {
    const found = all.flatMap(({ at, findings }) =>
      findings.filter((each) => each.name === name).map((finding) => ({ at, finding })),
    );
    const bad = found.find(({ finding }) => !finding.ok);
    if (bad === undefined || all.length === 1) return (bad ?? found[0])?.finding ?? [];
    return { ...bad.finding, sentence: `${bad.at}: ${bad.finding.sentence}` };
  });
}
