import type { z } from 'zod';
import { type Invalid, invalid } from '../invalid.ts';
import { codeSchema } from './code.ts';
import { IP_CONTENT } from './ip.ts';
import { TONE_CONTENT } from './tone.ts';
import { XML_CONTENT } from './xml.ts';

const CONTENT = { ...TONE_CONTENT, ...XML_CONTENT, ...IP_CONTENT } as const;

/** Built-in profiles whose content is looked at. */
export type ProfileRoot = keyof typeof CONTENT;
export type ProfileContent<Root extends ProfileRoot> = z.output<(typeof CONTENT)[Root]>;

const BY_KIND: Readonly<Record<string, object>> = { tone: TONE_CONTENT, xml: XML_CONTENT, ip: IP_CONTENT };

/** The built-in profile of this kind and name; undefined: it is no protocol (code tables, mappings of codes). */
export const profileRoot = (kind: string, name: string): ProfileRoot | undefined =>
  Object.hasOwn(BY_KIND[kind] ?? {}, name) ? (name as ProfileRoot) : undefined;

/**
 * The fault in the content of a profile that changes the built-in `name`: a value no engine could run by, or a key that
 * would have no effect. Undefined: nothing. Paths begin at the content.
 */
export function contentFault(kind: string, name: string, content: unknown): Invalid | undefined {
  const root = profileRoot(kind, name);
  const schema = root === undefined ? codeSchema(kind, name) : CONTENT[root];
  const read = schema?.safeParse(content);
  return read === undefined || read.success ? undefined : invalid(read.error);
}

/** The content as the engines take it; a content with a fault counts as none. */
export function readContent<Root extends ProfileRoot>(
  root: Root,
  content: unknown,
): ProfileContent<Root> | undefined {
  const read = CONTENT[root].safeParse(content);
  return read.success ? (read.data as ProfileContent<Root>) : undefined;
}

/**
 * One change on top of another: groups are changed value by value, lists and texts are replaced. Values that a row does not
 * mention stay as they were.
 */
export function mergeContent(below: unknown, above: unknown): unknown {
  if (!isGroup(below) || !isGroup(above)) return above === undefined ? below : above;
  const merged: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) merged[name] = mergeContent(merged[name], value);
  return merged;
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
