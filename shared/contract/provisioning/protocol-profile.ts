import { z } from 'zod';
import { ignoring, isRecord, profileNameField } from './field.ts';

export const PROFILE_KINDS = ['tone', 'xml', 'ip', 'codes', 'siaMapping'] as const;

export type ProfileKind = (typeof PROFILE_KINDS)[number];

/** Profiles and code tables that the product brings, by kind: what `extends` may name beside a tenant's own. */
export const BUILT_IN_PROFILES: { readonly [kind in ProfileKind]: readonly string[] } = {
  tone: [
    'bs8521',
    'ttnew',
    'tt92',
    'tt-burst',
    'rb2000',
    'p100',
    'cpc-antenna',
    'twon-text',
    'contactId',
    'bsiaFastFormat',
    'siaFsk',
    'multiprotocol',
  ],
  xml: ['scaip', 'nowip', 'nowipcontroller', 'lacs'],
  ip: ['dc09', 'dc07'],
  codes: [
    'bs8521-event',
    'bs8521-location',
    'bs8521-status',
    'contact-id-event',
    'lift-audio-unit',
    'lift-cpc',
    'lift-p100',
    'scaip-dco',
    'scaip-dty',
    'scaip-lco',
    'scaip-stc',
    'sia-event',
    'tt-call',
  ],
  siaMapping: ['default', 'scaip', 'p100'],
};

const CONTENT_MAX_BYTES = 65_536;
const CONTENT_MAX_DEPTH = 32;
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Only what differs from the profile that is extended; the shape is that of the built-in file. */
const contentSchema = z
  .record(z.string(), z.unknown())
  .superRefine((content, context) => {
    const bytes = new TextEncoder().encode(JSON.stringify(content)).length;
    if (bytes > CONTENT_MAX_BYTES)
      context.addIssue({
        code: 'custom',
        message: `must have at most ${CONTENT_MAX_BYTES} bytes as JSON, and has ${bytes}`,
      });
    const fault = contentFault(content, []);
    if (fault !== undefined)
      context.addIssue({ code: 'custom', path: [...fault.path], message: fault.message });
  })
  .meta({
    description:
      'Settings that differ from the extended profile: objects, lists, texts, numbers, booleans, null',
    example: { collect: { interDigitMs: 900 } },
  });

interface ContentFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** The place where `value` is deeper than a profile can be, or names a prototype. */
function contentFault(value: unknown, path: readonly string[]): ContentFault | undefined {
  if (path.length > CONTENT_MAX_DEPTH)
    return { path, message: `must not be nested deeper than ${CONTENT_MAX_DEPTH} levels` };
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name];
    if (PROTOTYPE_NAMES.has(name)) return { path: here, message: 'must not name a prototype' };
    const fault = contentFault(inner, here);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const fields = {
  name: profileNameField.meta({
    description:
      'Name of the profile; a profile with a built-in name replaces the built-in one wherever no profile is named',
    example: 'bs8521-slow',
  }),
  kind: z.enum(PROFILE_KINDS).meta({
    description:
      'tone, xml and ip: how a protocol is spoken; codes: a code table; siaMapping: events to SIA codes',
    example: 'tone',
  }),
  extends: profileNameField.meta({
    description: 'Built-in or own profile of the same kind that this one changes',
    example: 'bs8521',
  }),
  content: contentSchema,
} as const;

/** A profile as it is stored, as it is answered and as a site receives it. */
export const protocolProfileSchema = z.strictObject(fields).meta({
  id: 'ProtocolProfile',
  description: 'Protocol profile of the tenant: the differences from the profile that it extends',
  example: {
    name: 'bs8521-slow',
    kind: 'tone',
    extends: 'bs8521',
    content: { collect: { interDigitMs: 900 } },
  },
});

/** Body of POST and PUT, and what a patched profile must still be. */
export const protocolProfileRequestSchema = ignoring(['id', 'success', 'reason'], protocolProfileSchema);

/** As a site receives it; properties a newer cloud may add are dropped. */
export const replicatedProtocolProfileSchema = protocolProfileSchema.strip();

export type ProtocolProfile = z.output<typeof protocolProfileSchema>;

/** Whether the product brings a profile of this name; of any kind when none is given. */
export const isBuiltInProfile = (name: string, kind?: ProfileKind): boolean =>
  (kind === undefined ? PROFILE_KINDS : [kind]).some((each) => BUILT_IN_PROFILES[each].includes(name));
