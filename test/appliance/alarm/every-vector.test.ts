import { describe, expect, it } from 'vitest';
import { FRAME_ROUTES } from './vector/frame-ways.ts';
import { MESSAGE_ROUTES } from './vector/message-ways.ts';
import { TONE_ROUTES } from './vector/tone-ways.ts';
import { DIRECTIONS, routeOf, VECTORS, type Vector } from './vector/vector-book.ts';

/*
 * Every vector, heard and said. Each direction of each vector is a test or has a reason why it cannot be one; a vector of which
 * neither is known has no name to hide behind.
 */

const ROUTES = { ...TONE_ROUTES, ...MESSAGE_ROUTES, ...FRAME_ROUTES };

const ALL = [...VECTORS].flatMap(([group, vectors]) =>
  vectors.flatMap((vector) =>
    DIRECTIONS.map((direction) => ({
      name: `${vector.id} ${direction}`,
      vector,
      way: routeOf(ROUTES, group, vector, direction),
    })),
  ),
);
const proven = new Set<string>();
const isVector = ({ id }: Vector) => id !== undefined;

describe('a vector', () => {
  for (const { name, vector, way: route } of ALL)
    if (typeof route === 'function')
      it(name, () => {
        route(vector as never);
        proven.add(name);
      });
});

it('is each proven in both directions, or says why not', () => {
  const open = ALL.filter(({ name, way: route }) => typeof route !== 'string' && !proven.has(name));
  expect(
    open.map(({ name }) => name),
    'a list of vectors needs a proof, or a reason, for each direction: add it to vector/{message,frame,tone}-ways.ts',
  ).toEqual([]);
  const oneRoute = ALL.filter(({ way: route }) => typeof route === 'string');
  expect(oneRoute.map(({ name }) => name).sort()).toEqual([
    'bs8521Bad-01 said',
    'bs8521Bad-02 said',
    'contactId-07 said',
    'cpc-01 said',
    'cpc-02 said',
    'cpc-03 said',
    'cpc-04 said',
    'cpc-05 said',
    'dc09-09 said',
    'p100-05 said',
    'scaip-08 said',
    'scaip-16 said',
  ]);
});

it('is none that has no name, or that has the name of another', () => {
  const vectors = [...VECTORS.values()].flat();
  expect(vectors.filter((vector) => !isVector(vector))).toEqual([]);
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  expect(
    [...VECTORS].map(([group, list]) => `${group} ${list.length}`).sort(),
    'the count of each list stands here, so that no vector is lost unseen: add a new one, never lower a number',
  ).toEqual([
    'bs8521 10',
    'bs8521Bad 2',
    'bs8521Replies 4',
    'bs8521Send 5',
    'bs8521Tones 4',
    'contactId 9',
    'cpc 5',
    'dc09 11',
    'dc09Encrypted 6',
    'dc09Observed 4',
    'nowip 8',
    'nowipBody 1',
    'p100 7',
    'rfc4733 4',
    'scaip 16',
    'scaipSend 5',
    'siaMapping 16',
    'tt 3',
    'ttGroup 1',
  ]);
});
