import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as provisioning from '#shared/contract/provisioning/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** The schemas that customers read and write in this folder, with every variant of a union. */
const SCHEMAS: Record<string, z.ZodType> = {
  alarmBridge: provisioning.alarmBridgeResponseSchema,
  alarmEventMapper: provisioning.alarmEventMapperResponseSchema,
  cloudSipUa: provisioning.cloudSipUaResponseSchema,
  trunk: provisioning.trunkResponseSchema,
  mediaService: provisioning.mediaServiceResponseSchema,
  recordingService: provisioning.recordingServiceResponseSchema,
  protocolProfile: provisioning.protocolProfileSchema,
  device: provisioning.deviceResponseSchema,
  notificationSettings: provisioning.notificationSettingsSchema,
  configuration: provisioning.configurationAnswerSchema,
  promotion: provisioning.promotionSchema,
  restored: provisioning.configurationRequestSchema,
  promoted: provisioning.promotedSchema,
  stored: provisioning.storedAnswerSchema,
  serviceStored: provisioning.serviceStoredAnswerSchema,
  done: provisioning.doneAnswerSchema,
  deletedAll: provisioning.deletedAllAnswerSchema,
  deleteAll: provisioning.deleteAllDevicesSchema,
  devicePut: provisioning.devicePutAnswerSchema,
  error: provisioning.errorAnswerSchema,
  testConfiguration: provisioning.testConfigurationAnswerSchema,
  trial: provisioning.eventMapTrialAnswerSchema,
  patch: provisioning.jsonPatchSchema,
  list: provisioning.listAnswer('trunks', provisioning.trunkResponseSchema),
  listQuery: provisioning.listQuerySchema,
  deviceListQuery: provisioning.deviceListQuerySchema,
};

/** Every property of a JSON schema with its place, variants and entries of lists included. */
function* properties(schema: Json, place: string, root: Json = schema): Generator<readonly [string, Json]> {
  const at = resolved(schema, root);
  for (const [name, inner] of Object.entries((at.properties ?? {}) as Record<string, Json>)) {
    yield [`${place}.${name}`, resolved(inner, root)];
    yield* properties(inner, `${place}.${name}`, root);
  }
  const variants = [at.oneOf, at.anyOf].flatMap((list) => (list ?? []) as readonly Json[]);
  for (const variant of variants) yield* properties(variant, place, root);
  if (at.items !== undefined) yield* properties(at.items as Json, `${place}[]`, root);
}

/** The target of a schema with an id, and the words beside the reference. */
function resolved({ $ref, ...beside }: Json, root: Json): Json {
  if (typeof $ref !== 'string') return beside;
  const definitions = root.$defs as Record<string, Json>;
  return { ...resolved(definitions[$ref.replace('#/$defs/', '')] ?? {}, root), ...beside };
}

const described = Object.entries(SCHEMAS).flatMap(([name, schema]) => [
  ...properties(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, name),
]);

/** Numbers that count nothing measurable: ranks, priorities and shares. */
const WITHOUT_UNIT = /\.(order|priority|weight)$/;

describe('every field', () => {
  it('is there to be read', () => {
    expect(described.length).toBeGreaterThan(300);
  });

  it('says what it means', () => {
    expect(described.filter(([, { description }]) => description === undefined).map(([at]) => at)).toEqual(
      [],
    );
  });

  it('has an example', () => {
    const without = described.filter(
      ([, field]) =>
        field.example === undefined &&
        field.const === undefined &&
        field.properties === undefined &&
        field.oneOf === undefined,
    );
    expect([...new Set(without.map(([at]) => at))]).toEqual([]);
  });

  it('that is a number has its unit', () => {
    const numbers = described.filter(
      ([at, field]) =>
        /number|integer/.test(JSON.stringify([field.type, field.anyOf])) && !WITHOUT_UNIT.test(at),
    );
    expect(numbers.filter(([, field]) => field['x-unit'] === undefined).map(([at]) => at)).toEqual([]);
    expect(numbers.length).toBeGreaterThan(20);
  });
});
