import { expect, it } from 'vitest';
import { repositorySources } from '#test/architecture/repository.ts';
import { type Source, source } from '#test/architecture/source.ts';

/*
 * A machine that gets another name stays the host that the control plane knows. `config.hostId` is the name of the machine where no
 * setting gives one: after the enrolment it only stands in for an identity that is missing.
 */

const READ = /\bconfig\.hostId\b/g;
/** The reads that may stand: behind an identity or a claim, and the number of a capture, which no person reads. */
const BEHIND = /(?:hostId \?\? |keyHash\()$/;

const readsOf = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  [...text.matchAll(READ)].flatMap(({ index }) =>
    BEHIND.test(text.slice(0, index)) ? [] : [`${path}: ${text.slice(index - 30, index + 15)}`],
  );

it('is read from the identity wherever this host names itself', () => {
  const sources = repositorySources().filter(({ path }) => path.startsWith('appliance/'));
  expect(sources.filter(({ text }) => text.includes('config.hostId')).length).toBeGreaterThan(3);
  expect(sources.flatMap(readsOf)).toEqual([]);
});

it.each([
  ['answer(operateAs(config.hostId));', 1],
  ['const own = identity?.hostId ?? config.hostId;', 0],
])('%s has %d of it', (text, count) => {
  expect(readsOf(source('appliance/compose/planted.ts', text))).toHaveLength(count);
});
