import { z } from 'zod';
import { isCalledPort } from '../../host-port.ts';
import { compilePattern } from '../../matching/index.ts';

/** GET shows this in place of a secret, and a write sends it to keep the stored one. */
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

/** Any JSON value, present. The output of a JSON parser is JSON: its inside is not walked again. */
export const jsonField = z.unknown().refine((value) => value !== undefined, { message: 'is missing' });

/** Durations in milliseconds; no timer runs longer than 2^31 - 1 of them, almost 25 days. */
export const durationMsField = z.number().int().positive().max(2_147_483_647);

/** A secret is written once and shown as the placeholder ever after. */
export const secretField = z.string().min(1).max(16_384);

/** In every answer to a request that was done. */
export const successField = z.literal(true).meta({ description: 'The operation was executed' });

/** Name given by the customer. */
export const nameField = z.string().min(1).max(200);

/** Free text; absent when there is none. */
export const textField = (description: string, example: string) =>
  z.string().optional().meta({ description, example });

/** A switch with its default position. */
export const flagField = (initial: boolean, description: string) =>
  z.boolean().default(initial).meta({ description, example: !initial });

/** RE2 over the destination of calls and messages; of several that match the lowest `order` wins, then the lowest id. */
export const destinationMatchField = regexField.min(1);
export const orderField = z.number().default(1000).meta({
  description: 'Order of receivers that match: the lowest order wins, then the lowest id',
  example: 10,
});

/** Whom a call goes to: a SIP, tel or gsm URI, a number, or the user part of an address. */
export const calledField = z
  .string()
  .max(512)
  .regex(/^(sips?:[^\s<>"]+|(tel|gsm):\+?[0-9*#.()-]+(;[^\s<>"]+)?|\+?[0-9A-Za-z*#._~-]+(@[^\s<>"@]+)?)$/, {
    message: 'must be a number, a SIP URI (sip:user@host) or a tel URI',
  });

/** A SIP URI (RFC 3261 19.1). */
export const sipUriField = z
  .string()
  .max(512)
  .regex(/^sips?:[^\s<>"]+$/, { message: 'must be a SIP URI: sip:user@host or sip:host:port' });

/** `host:port`; an IPv6 address stands in brackets. */
export const hostPortField = z
  .string()
  .max(261)
  .regex(
    /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?):([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
    { message: 'must be host:port, the port from 1 to 65535' },
  );

/** Host part of a SIP URI: a DNS name or an address. */
export const hostField = z
  .string()
  .max(253)
  .regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$/, {
    message: 'must be a host name or an IP address',
  });

/** Name of a trunk group, compared sign by sign; it also travels in a SIP header. */
export const trunkGroupField = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9._~+-]+$/, { message: 'must be letters, digits and . _ ~ + -' });

/** Name of a protocol profile, built-in or the tenant's own: a segment of a path. */
export const profileNameField = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, {
    message: 'must begin with a letter or digit and have only letters, digits and . _ -',
  });

/** Whether an id is a step in a path (RFC 3986 5.2.4): no request could name what has it. */
export const isPathStep = (id: string): boolean => id === '.' || id === '..';

export const PATH_STEP_REASON = 'must not be . or .., which are steps in a path; use another id';

/** Epoch milliseconds. */
export const timeField = z.number().int().nonnegative();

/**
 * A request schema that drops `names` before it looks: fields only the service sets are ignored in requests,
 * so that what GET gave can be PUT.
 */
export function ignoring<S extends z.ZodType>(names: readonly string[], schema: S) {
  return z
    .preprocess((value) => (isRecord(value) ? without(value, names) : value), schema)
    .superRefine((value, c) => {
      for (const path of refusedPorts(value))
        c.addIssue({ code: 'custom', path, message: CALLED_PORT_REASON });
    });
}

const CALLED_PORT_REASON =
  'must have port 443 or a port above 1023: every appliance refuses to call another one; change the port';

/** Members that hold an address of callbacks. */
const CALLED = new Set([
  'callbackBaseUrl',
  'alarmEventsRestEndpoint',
  'messageCallbackBaseUrl',
  'partnerUrl',
  'backupDestAddr',
]);
const AROUND_CALLED = new Set(['targetEndpoint', 'backupEndpoint']);

/**
 * Places of addresses with a port that is never called. Requests alone are judged: a site must go on reading what was
 * stored before.
 */
function refusedPorts(value: unknown): string[][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (AROUND_CALLED.has(name)) return refusedPorts(member).map((path) => [name, ...path]);
    return CALLED.has(name) && typeof member === 'string' && hasRefusedPort(member) ? [[name]] : [];
  });
}

const hasRefusedPort = (text: string): boolean =>
  text.startsWith('https://') && URL.canParse(text) && !isCalledPort(Number(new URL(text).port || 443));

function without(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
