import { describe, expect, it } from 'vitest';
import { FRAME_ROUTES } from './vector/frame-proof.ts';
import { MESSAGE_ROUTES } from './vector/message-proof.ts';
import { TONE_ROUTES } from './vector/tone-proof.ts';
import { DIRECTIONS, routeOf, VECTORS, type Vector } from './vector/vector-list.ts';

/*
 * Every vector, decoded and encoded. Each direction of each vector is a test or has a reason why it cannot be one; a vector of which
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
    'a list of vectors needs a proof, or a reason, for each direction: add it to vector/{message,frame,tone}-proof.ts',
  ).toEqual([]);
  const oneRoute = ALL.filter(({ way: route }) => typeof route === 'string');
  expect(oneRoute.map(({ name }) => name).sort()).toEqual([
    'bs8521Bad-01 encoded',
    'bs8521Bad-02 encoded',
    'contactId-07 encoded',
    'cpc-01 encoded',
    'cpc-02 encoded',
    'cpc-03 encoded',
    'cpc-04 encoded',
    'cpc-05 encoded',
    'dc09-09 encoded',
    'p100-05 encoded',
    'scaip-08 encoded',
    'scaip-16 encoded',
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
