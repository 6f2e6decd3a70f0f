import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsOf, frozenLists, frozenNames } from './frozen-name.ts';
import { ROOT, repositoryTexts } from './repository.ts';

/* Other programs, other versions and people's scripts know these names. None may go or change; more may come. */

const texts = repositoryTexts();
const now = frozenNames(texts);
const frozen = frozenLists();

/** Frozen names that are not there any more. */
const missing = (kept: readonly string[], present: readonly string[] = []): string[] => {
  const there = new Set(present);
  return kept.filter((line) => !there.has(line));
};

describe('a name that is frozen', () => {
  it.each(Object.keys(frozen))('in %s.json is still there', (list) => {
    expect(frozen[list]?.length).toBeGreaterThan(0);
    expect(missing(frozen[list] ?? [], now[list])).toEqual([]);
  });

  it('is collected from every folder of its contract', () => {
    const folders = readdirSync(join(ROOT, 'shared/contract'), { withFileTypes: true });
    const lists = folders.filter((entry) => entry.isDirectory()).map(({ name }) => `contract-${name}`);
    expect(Object.keys(now)).toEqual(expect.arrayContaining(lists));
  });

  it('stands in a list for every kind of name that is collected', () => {
    expect(Object.keys(frozen).toSorted()).toEqual(Object.keys(now).toSorted());
  });

  it('is missed when a source calls a metric, a failure or a line of a trace by another name', () => {
    const renamed = texts.map(({ path, text }) => ({
      path,
      text: text
        .replaceAll("'carillon_outbox_depth'", "'carillon_outbox_rows'")
        .replaceAll("fail('notForwarded'", "fail('wasNotForwarded'")
        .replaceAll("trace.add('callbackSent'", "trace.add('callbackPosted'"),
    }));
    const then = frozenNames(renamed);
    const missed = Object.entries(frozen).flatMap(([list, names]) => missing(names, then[list]));
    expect(missed).toEqual([
      'notForwarded',
      'appliance carillon_outbox_depth',
      'cloud carillon_outbox_depth',
      'callbackSent',
    ]);
  });

  it('is missed when a field has another name, another kind or one value less', () => {
    const lines = (schema: z.ZodType) => fieldsOf(z.toJSONSchema(schema) as Record<string, unknown>);
    const before = lines(
      z.object({ status: z.enum(['on', 'off']), list: z.array(z.object({ at: z.number() })) }),
    );
    const after = lines(
      z.object({ status: z.enum(['on']), list: z.array(z.object({ atMs: z.number() })), at: z.string() }),
    );
    expect(missing(before, after)).toEqual(['/status = "off"', '/list[]/at: number']);
  });
});
