import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type VectorKey, type VectorSet, vectorSet } from '#sdk/build/vector.ts';
import { type CallbackKey, CallbackRefusal, createVerifier } from '#sdk/js/src/callback/index.ts';

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../sdk/vectors/callback.json'), 'utf8'),
) as VectorSet;

const keyOf = ({ algorithm, key, acceptedUntil }: VectorKey): CallbackKey => ({
  ...(algorithm === 'HS256'
    ? { algorithm, secret: key }
    : { algorithm: algorithm as 'ES256', publicKey: key }),
  ...(acceptedUntil === undefined ? {} : { acceptedUntilMs: acceptedUntil * 1000 }),
});

describe('the published vectors', () => {
  it('are those that the script writes, and hold nothing that could sign', () => {
    const made = vectorSet(false);
    expect(published.vectors.map(({ name, expected }) => [name, expected])).toEqual(
      made.vectors.map(({ name, expected }) => [name, expected]),
    );
    expect(JSON.stringify(published)).not.toContain('PRIVATE');
    expect(published.vectors.flatMap(({ keys }) => keys).map(({ algorithm }) => algorithm)).not.toContain(
      'HS256',
    );
  });
});

describe.each([
  ['published', published],
  ['made now, with shared secrets', vectorSet(true)],
])('the JavaScript SDK and the vectors %s', (_, { now, clockSkewS, audience, domain, vectors }) => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const verify = createVerifier({
      keys: vector.keys.map(keyOf),
      audience,
      domain,
      clockSkewS,
      now: () => now * 1000,
    });
    const outcomes: string[] = [];
    for (let time = 0; time < (vector.times ?? 1); time++)
      outcomes.push(
        await verify(vector).then(
          () => 'ok',
          (cause: unknown) => {
            expect(cause).toBeInstanceOf(CallbackRefusal);
            const { code, reason, advice } = cause as CallbackRefusal;
            expect(reason).toMatch(/^[A-Z].*\.$/);
            expect(advice).toMatch(/^[A-Z].*\.$/);
            return code;
          },
        ),
      );
    expect(outcomes).toEqual([
      vector.expected,
      ...Array.from({ length: (vector.times ?? 1) - 1 }, () => 'replayed'),
    ]);
  });
});
