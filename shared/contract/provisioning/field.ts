import { z } from 'zod';
import { compilePattern } from '../../matching/index.ts';

/** What GET shows in place of a secret, and what a write sends to keep the stored one. */
export const SECRET_PLACEHOLDER = '<secret>';

/** RE2 syntax, at most 512 characters and 1,000 instructions; found anywhere in the text unless anchored. */
export const regexField = z.string().superRefine((source, context) => {
  const compiled = compilePattern(source);
  if (compiled.ok) return;
  const { code, reason, position } = compiled.error;
  context.addIssue({ code: 'custom', message: reason, params: { code, position } });
});

/** Base of callbacks. Only https: alarms carry personal facts. */
export const httpsUrlField = z
  .string()
  .max(2048)
  .refine(isHttpsUrl, { message: 'must be an absolute URL that starts with https://' })
  .meta({ format: 'uri', pattern: '^https://' });

function isHttpsUrl(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text) && new URL(text).username === '';
}

/** Tenant name: a DNS name with at least one dot (RFC 1123 2.1), in lower case. */
export const domainField = z
  .string()
  .max(253)
  .regex(/^(?!.*[^.]{64})[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/, {
    message: 'must be a DNS name in lower case with at least one dot',
  })
  .meta({ description: 'Tenant', example: 'care.example' });

/** Any JSON value, present. What a parser of JSON made is JSON: its inside is not walked again. */
export const jsonField = z.unknown().refine((value) => value !== undefined, { message: 'is missing' });

/** Durations in milliseconds; no timer runs longer than 2^31 - 1 of them, almost 25 days. */
export const durationMsField = z.number().int().positive().max(2_147_483_647);

/** A secret is written once and shown as the placeholder ever after. */
export const secretField = z.string().min(1).max(16_384);

/** In every answer to a request that was done. */
export const successField = z.literal(true).meta({ description: 'The operation was done' });

/** Epoch milliseconds. */
export const timeField = z.number().int().nonnegative();

/**
 * A request schema that drops `names` before it looks: fields only the service sets are ignored in requests,
 * so that what GET gave can be PUT.
 */
export function ignoring<S extends z.ZodType>(names: readonly string[], schema: S) {
  return z.preprocess((value) => (isRecord(value) ? without(value, names) : value), schema);
}

function without(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
