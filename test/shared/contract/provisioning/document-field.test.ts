import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { profileCreationSchema, profileRequestSchema } from '#shared/contract/access/index.ts';
import {
  alarmBridgeRequestSchema,
  alarmEventMapperRequestSchema,
  cloudSipUaRequestSchema,
  deviceRequestSchema,
} from '#shared/contract/provisioning/index.ts';
import { DOCUMENT_FIELDS, type DocumentField } from './document-field.codes.ts';
import { refusalOf } from './field-table.ts';

type Json = { [name: string]: unknown };

const entry = { restAuthentication: [{ secret: 's' }] };
const called = { name: 'a', destinationMatch: '^a$', ...entry };
const target = { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' };
const backupEndpoint = { backupDestAddr: 'sip:alarm@backup.example' };
const device = { deviceId: 'a', authType: 'deviceid', srtp: 'never' };
const rewritten = { voiceCallSipFromUserMatch: '^0', voiceCallSipFromUserRewrite: '1' };

/** By which schema a request is judged, and a request that it takes. */
const REQUESTS: Record<keyof typeof DOCUMENT_FIELDS, readonly [z.ZodType, Json]> = {
  alarmBridge: [alarmBridgeRequestSchema, { protocol: 'scaip', ...called, toneSettings: {} }],
  alarmEventMapper: [
    alarmEventMapperRequestSchema,
    { name: 'a', targetEndpoint: { ...target, backupEndpoint }, ...rewritten },
  ],
  cloudSipUa: [cloudSipUaRequestSchema, { ...called, callbackBaseUrl: 'https://arc.example' }],
  device: [deviceRequestSchema, device],
  deviceWithCredentials: [deviceRequestSchema, { ...device, authType: 'credentials' }],
  deviceWithUserid: [deviceRequestSchema, { ...device, authType: 'userid', password: 'p' }],
  profile: [profileRequestSchema, {}],
  profileCreation: [profileCreationSchema, {}],
};

/** The body with one value set at a path; undefined takes it away. */
function withValue(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Json;
  const inner = rest.length === 0 ? value : withValue(copy[name] ?? {}, rest, value);
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Json | undefined)?.[name], body);

describe.each(Object.entries(DOCUMENT_FIELDS))('%s of the document', (resource, rows) => {
  const [schema, smallest] = REQUESTS[resource as keyof typeof REQUESTS];
  const fields: readonly DocumentField[] = rows;

  it.each(fields.map((field) => [field[0], field] as const))('%s', (name, [, taken, refused, standard]) => {
    const path = name.split('.');
    for (const value of taken) {
      const read = schema.parse(withValue(smallest, path, value));
      expect(valueAt(read, path)).toEqual(refused === true ? undefined : value);
    }
    if (standard !== undefined)
      expect(valueAt(schema.parse(withValue(smallest, path, undefined)), path)).toEqual(standard);
    for (const [value, reason] of refused === true ? [] : refused) {
      const refusal = refusalOf(schema, withValue(smallest, path, value));
      expect([refusal?.path, refusal?.reason]).toEqual([
        `/${path.join('/')}`,
        expect.stringContaining(reason),
      ]);
      expect(refusal?.reason).toContain(`/${path.join('/')}: `);
    }
  });
});

it.each([
  // Rows of the tables of the document, where one that is an object is counted by what is in it.
  ['alarmBridge', 28 + 4 + 5],
  ['alarmEventMapper', 21 + 10 + 5],
  ['cloudSipUa', 11 + 5],
  ['device', 10 + 4 + 6 + 9],
  ['profileCreation', 6 + 6],
] as const)('%s is the whole of its table', (resource, fields) => {
  expect(new Set(DOCUMENT_FIELDS[resource].map(([path]) => path)).size).toBe(fields);
});
