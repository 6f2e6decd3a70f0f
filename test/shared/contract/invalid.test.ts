import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { invalid } from '#shared/contract/invalid.ts';
import { alarmBridgeRequestSchema } from '#shared/contract/provisioning/index.ts';

const bridge = { protocol: 'scaip', name: 'A', destinationMatch: 'a' };

function refused(schema: z.ZodType, document: unknown) {
  const { error } = schema.safeParse(document);
  if (error === undefined) throw new Error('the document was taken');
  return { ...invalid(error), sentBytes: JSON.stringify(document).length };
}

describe('a refusal answers with no more than was sent', () => {
  it.each<[string, z.ZodType, unknown]>([
    [
      'unknown names',
      alarmBridgeRequestSchema,
      { ...bridge, ...Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 0])) },
    ],
    ['a list of the wrong things', z.array(z.strictObject({ a: z.string() })), Array(100_000).fill(0)],
    [
      'offences of a union',
      z.union([z.object({ a: z.array(z.string()) }), z.string()]),
      { a: Array(100_000).fill(0) },
    ],
    [
      'one long name above many offences',
      z.record(z.string(), z.array(z.string())),
      { ['n'.repeat(200_000)]: Array(50_000).fill(0) },
    ],
    [
      'a long text in a template',
      alarmBridgeRequestSchema,
      { ...bridge, customEventMap: { rules: [{ body: `{{${'ä'.repeat(300_000)}}}` }] } },
    ],
  ])('%s', (_, schema, document) => {
    const { issues, reason, path, sentBytes } = refused(schema, document);
    expect(issues.length).toBeLessThanOrEqual(50);
    expect(issues.length).toBeGreaterThan(0);
    expect(JSON.stringify({ issues, reason, path }).length).toBeLessThan(64_000);
    expect(sentBytes).toBeGreaterThan(200_000);
  });

  it('names every one of few', () => {
    const { issues, path, reason } = refused(alarmBridgeRequestSchema, { ...bridge, x: 1, y: 2, order: 'a' });
    expect(issues.map((issue) => issue.path)).toEqual(['/order', '/x', '/y']);
    expect(path).toBe('/order');
    expect(reason).toMatch(/^\/order: /);
  });
});
