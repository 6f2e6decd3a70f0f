import { XML_LIMITS } from '../xml-message/index.ts';
import { DEFAULT_MEDIUM } from './medium.ts';
import type { ScaipRequest } from './request.ts';

/** Whether every part from the highest announced down to 0 is there. */
export function isComplete(parts: readonly ScaipRequest[]): boolean {
  const numbers = new Set(parts.map(({ partsToCome }) => partsToCome));
  for (let n = Math.max(...numbers); n >= 0; n--) if (!numbers.has(n)) return false;
  return true;
}

/** Parts together may be as long as one body: more is raised as it is, not collected. */
export const isTooLong = (parts: readonly ScaipRequest[]): boolean =>
  parts.reduce((length, { raw }) => length + raw.length, 0) > XML_LIMITS.maxBytes;

/**
 * One request out of the parts of one (cid, ref), in the order in which they were meant: `ame` counts down.
 * Chosen: a later part adds what is missing and replaces what it says again; media are collected.
 */
export function mergeParts(parts: readonly ScaipRequest[]): ScaipRequest | undefined {
  const ordered = [...parts].sort((a, b) => b.partsToCome - a.partsToCome);
  const first = ordered[0];
  if (first === undefined) return undefined;
  let merged = first;
  for (const part of ordered.slice(1)) merged = mergeTwo(merged, part);
  return { ...merged, partsToCome: 0 };
}

function mergeTwo(before: ScaipRequest, part: ScaipRequest): ScaipRequest {
  const says = (tag: string) => Object.hasOwn(part.fields, tag);
  const media = says('crd') ? [...(namesMedia(before) ? before.media : []), ...part.media] : before.media;
  return {
    ...before,
    ...(part.did !== undefined && { did: part.did }),
    ...(part.dco !== undefined && { dco: part.dco }),
    ...(part.stc !== undefined && { stc: part.stc }),
    ...(part.lco !== undefined && { lco: part.lco }),
    dty: part.dty,
    systemConfig: says('sco') ? part.systemConfig : before.systemConfig,
    wantsCallback: says('cha') ? part.wantsCallback : before.wantsCallback,
    priority: says('pri') ? part.priority : before.priority,
    version: says('ver') ? part.version : before.version,
    media: media.length > 0 ? media : [DEFAULT_MEDIUM],
    fields: { ...before.fields, ...part.fields },
    raw: `${before.raw}\n${part.raw}`,
    warnings: [...new Set([...before.warnings, ...part.warnings])],
  };
}

const namesMedia = (request: ScaipRequest): boolean => Object.hasOwn(request.fields, 'crd');
