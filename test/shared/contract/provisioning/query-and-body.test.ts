import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  apiKeyRequestSchema,
  apiTokenRequestSchema,
  deviceListQuerySchema,
  errorAnswerSchema,
  jsonPatchSchema,
  listAnswer,
  listQuerySchema,
  notificationSettingsRequestSchema,
  oneAnswer,
  pageQuerySchema,
  tenantSchema,
} from '#shared/contract/provisioning/index.ts';

interface Rows {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly good: readonly (readonly [unknown, unknown?])[];
  readonly bad: readonly unknown[];
}

const op = { op: 'add', path: '/a', value: 1 };

/** Schema, bodies it takes with what it makes of them (itself when nothing is said), bodies it refuses. */
const ROWS: readonly Rows[] = [
  {
    name: 'list query',
    schema: listQuerySchema,
    good: [
      [{}, { limit: 100, provisory: false }],
      [
        { limit: '1', provisory: 'true', nextToken: 'x' },
        { limit: 1, provisory: true, nextToken: 'x' },
      ],
      [{ limit: '99' }, { limit: 99, provisory: false }],
      [
        { limit: '100', provisory: 'false' },
        { limit: 100, provisory: false },
      ],
    ],
    bad: [
      { limit: '0' },
      { limit: '101' },
      { limit: '-1' },
      { limit: '1.5' },
      { limit: '' },
      { limit: '1e1' },
      { limit: '01' },
      { limit: 5 },
      { provisory: 'yes' },
      { provisory: '' },
      { nextToken: '' },
      { offset: '1' },
    ],
  },
  {
    name: 'page query',
    schema: pageQuerySchema,
    good: [[{}, { limit: 100 }]],
    bad: [{ provisory: 'true' }, { filter: 'a' }],
  },
  {
    name: 'device list query',
    schema: deviceListQuerySchema,
    good: [[{ filter: 'scaip-' }, { filter: 'scaip-', limit: 100 }]],
    bad: [{ filter: 'a'.repeat(257) }, { provisory: 'true' }],
  },
  {
    name: 'JSON patch',
    schema: jsonPatchSchema,
    good: [
      [[]],
      [[op]],
      [[{ op: 'add', path: '', value: { a: [] } }]],
      [[{ op: 'test', path: '/a~0b~1c/', value: null }]],
      [[{ op: 'remove', path: '/a' }]],
      [[{ op: 'move', path: '/a', from: '/b' }]],
      [[{ op: 'copy', path: '/a', from: '/b' }]],
      [[{ ...op, xyz: 1 }], [op]],
    ],
    bad: [
      op,
      [{ ...op, op: 'spam' }],
      [{ path: '/a', value: 1 }],
      [{ op: 'add', path: '/a' }],
      [{ op: 'replace', path: '/a' }],
      [{ op: 'test', path: '/a' }],
      [{ op: 'add', value: 1 }],
      [{ op: 'move', path: '/a' }],
      [{ ...op, path: 'a' }],
      [{ ...op, path: '/a~2' }],
      [{ ...op, path: '/a~' }],
      [{ ...op, path: '/__proto__/a' }],
      [{ ...op, path: '/a/constructor/prototype' }],
      [{ op: 'copy', path: '/a', from: '/prototype' }],
    ],
  },
  {
    name: 'tenant',
    schema: tenantSchema,
    good: [[{ domain: 'care.example' }], [{ domain: 'a-1.b.co', name: 'A' }]],
    bad: [
      {},
      { domain: 'care' },
      { domain: 'Care.example' },
      { domain: 'care..example' },
      { domain: '-care.example' },
      { domain: 'care-.example' },
      { domain: '.care.example' },
      { domain: 'care.example.' },
      { domain: 'a b.example' },
      { domain: `${'a'.repeat(64)}.example` },
      { domain: `${'a.'.repeat(130)}example` },
      { domain: 'care.example', name: '' },
      { domain: 'care.example', id: 1 },
    ],
  },
  {
    name: 'API key',
    schema: apiKeyRequestSchema,
    good: [
      [{ publicKey: '-----BEGIN PUBLIC KEY-----', alg: 'ES256' }],
      [
        {
          publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'a' },
          alg: 'EdDSA',
          kid: 'k1',
          name: 'n',
          scope: 'read runtime',
        },
      ],
    ],
    bad: [
      { alg: 'ES256' },
      { publicKey: '', alg: 'ES256' },
      { publicKey: 'x' },
      { publicKey: 'x', alg: 'HS256' },
      { publicKey: 'x', alg: 'none' },
      { publicKey: 'x', alg: 'RS256', scope: 'all' },
      { publicKey: 'x', alg: 'RS256', scope: 'read  runtime' },
      { publicKey: 'x', alg: 'RS256', scope: '' },
      { publicKey: 'x', alg: 'RS256', kid: 'a b' },
      { publicKey: 'x', alg: 'RS256', more: 1 },
    ],
  },
  {
    name: 'API token',
    schema: apiTokenRequestSchema,
    good: [[{}], [{ name: 'nightly', scope: 'site', expiresIn: 60 }]],
    bad: [
      { expiresIn: 0 },
      { expiresIn: 1.5 },
      { expiresIn: '60' },
      { scope: 'x' },
      { name: '' },
      { token: 'x' },
    ],
  },
  {
    name: 'notification settings',
    schema: notificationSettingsRequestSchema,
    good: [
      [{}, { alarmFromEdge: true }],
      [{ success: true, alarmFromEdge: false }, { alarmFromEdge: false }],
      [
        {
          alarmEventsRestEndpoint: 'https://arc.example/alarm',
          messageCallbackBaseUrl: 'https://arc.example/m',
          restAuthentication: [{ secret: 's', type: 'HS256' }],
          alarmFromEdge: true,
        },
      ],
    ],
    bad: [
      { alarmEventsRestEndpoint: 'http://arc.example' },
      { messageCallbackBaseUrl: 'x' },
      { alarmFromEdge: 'yes' },
      { restAuthentication: [{}] },
      { alarmEventsRestEndPoint: 'https://arc.example' },
    ],
  },
];

describe.each(ROWS)('$name', ({ schema, good, bad }) => {
  it.each(good)('takes %j', (body, made = body) => {
    expect(schema.parse(body)).toEqual(made);
  });
  it.each(bad.map((body) => [body]))('refuses %j', (body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});

it('answers have success, the name of the resource, and nothing else', () => {
  const list = listAnswer('alarmbridges', z.string());
  expect(list.parse({ success: true, alarmbridges: ['a'] })).toEqual({ success: true, alarmbridges: ['a'] });
  expect(list.safeParse({ success: true, alarmbridges: [], more: 1 }).success).toBe(false);
  const one = oneAnswer('alarmbridge', z.string());
  expect(one.safeParse({ success: false, alarmbridge: 'a' }).success).toBe(false);
  const error = { success: false, reason: 'no', error: { code: 'invalid', path: '/a', position: 3 } };
  expect(errorAnswerSchema.parse(error)).toEqual(error);
});
