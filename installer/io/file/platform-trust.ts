import { readFileSync, rmSync } from 'node:fs';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import { layout } from '../../plan/index.ts';
import type { HostOfSite, PlatformTrust } from '../../technician-program.ts';
import { writeDurably } from './durable-file.ts';

/** The control plane whose requests root follows; undefined: none. Throws when the file is damaged: then none may be trusted. */
export function keptTrust(place: string = layout.platform): PlatformTrust | undefined {
  let text: string;
  try {
    text = readFileSync(place, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
  const trust = trustIn(text);
  if (trust === undefined) throw new Error(`${place} is damaged: run carillon network trust`);
  return trust;
}

function trustIn(text: string): PlatformTrust | undefined {
  try {
    const { uid, verifyKeys, twinRev } = JSON.parse(text) as Partial<PlatformTrust>;
    const whole = typeof uid === 'string' && Array.isArray(verifyKeys) && typeof twinRev === 'number';
    return whole ? { uid, verifyKeys, twinRev } : undefined;
  } catch {
    return undefined;
  }
}

/** On the disk when it returns: a twin that was followed once must stay the oldest one that is. */
export function keepTrust(trust: PlatformTrust, place: string = layout.platform): void {
  writeDurably(place, `${JSON.stringify(trust)}\n`);
}

export const forgetTrust = (place: string = layout.platform): void => rmSync(place, { force: true });

/** A host as its enrolment left it, or by keys that a person answers for: no twin was followed yet. */
export const firstTrust = (
  { uid, verifyKeys }: HostOfSite,
  keys: readonly VerifyKey[] = verifyKeys,
): PlatformTrust => ({ uid, verifyKeys: keys, twinRev: 0 });
