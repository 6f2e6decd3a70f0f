import { z } from 'zod';
import { jsonField } from './field.ts';

/**
 * JSON pointer (RFC 6901). `~` is only an escape when 0 or 1 follows, and no segment may name the prototype
 * of an object.
 */
const pointerField = z
  .string()
  .max(1024)
  .regex(/^(\/([^~/]|~[01])*)*$/, { message: 'must be a JSON pointer' })
  .refine((pointer) => !pointer.split('/').some((part) => PROTOTYPE_NAMES.has(part)), {
    message: 'must not name a prototype',
  });

const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const path = pointerField.meta({ description: 'JSON pointer of the operation', example: '/name' });
const from = pointerField.meta({ description: 'JSON pointer of the source value', example: '/description' });
const value = jsonField.meta({ description: 'Any JSON value', example: 'Night alarms' });

const opField = <const Op extends string>(op: Op, description: string) => z.literal(op).meta({ description });

/** Members the operation does not define are ignored, as RFC 6902 section 4 demands. */
const operation = z.discriminatedUnion('op', [
  z.object({ op: opField('add', 'Adds or replaces a member, or puts an entry into a list'), path, value }),
  z.object({ op: opField('remove', 'Removes'), path }),
  z.object({ op: opField('replace', 'Replaces'), path, value }),
  z.object({ op: opField('move', 'Moves'), path, from }),
  z.object({ op: opField('copy', 'Copies'), path, from }),
  z.object({
    op: opField('test', 'Compares the value; if it differs, the patch is not applied'),
    path,
    value,
  }),
]);

/** Body of a JSON Patch (RFC 6902): all operations are applied, or none. */
export const jsonPatchSchema = z
  .array(operation)
  .max(1000)
  .meta({
    id: 'JsonPatch',
    description: 'JSON Patch, RFC 6902',
    example: [{ op: 'replace', path: '/name', value: 'Night alarms' }],
  });

/** Body of a JSON Merge Patch (RFC 7396): its members replace those of the document, and null removes one. */
const mergePatchSchema = z
  .record(z.string().max(1024), jsonField)
  .refine((patch) => !namesPrototype(patch), { message: 'must not name a prototype' })
  .meta({
    id: 'MergePatch',
    description: 'JSON Merge Patch, RFC 7396: members replace those of the resource, null removes one',
    example: { name: 'Night alarms', description: null },
  });

function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => PROTOTYPE_NAMES.has(name) || namesPrototype(each));
}

/** Body of PATCH: a list of operations, or an object that is merged. */
export const patchSchema = z.union([jsonPatchSchema, mergePatchSchema]);

export type JsonPatch = z.output<typeof jsonPatchSchema>;
export type Patch = z.output<typeof patchSchema>;
