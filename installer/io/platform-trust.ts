import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { layout } from '../plan/index.ts';
import type { HostOfSite, PlatformTrust } from '../technician-program.ts';

/** Whose wishes root follows; undefined: nobody's. Throws when the file is damaged: then nobody may be believed. */
export function keptTrust(): PlatformTrust | undefined {
  let text: string;
  try {
    text = readFileSync(layout.platform, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
  const { uid, verifyKeys, twinRev } = JSON.parse(text) as Partial<PlatformTrust>;
  if (typeof uid !== 'string' || !Array.isArray(verifyKeys) || typeof twinRev !== 'number')
    throw new Error(`${layout.platform} is damaged: run carillon network trust`);
  return { uid, verifyKeys, twinRev };
}

/** On the disk when it returns: a twin that was followed once must stay the oldest one that is. */
export function keepTrust(trust: PlatformTrust): void {
  mkdirSync(dirname(layout.platform), { recursive: true, mode: 0o700 });
  const beside = `${layout.platform}.part`;
  const file = openSync(beside, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(trust)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, layout.platform);
}

export const forgetTrust = (): void => rmSync(layout.platform, { force: true });

/** A host as its enrolment left it: no twin was followed yet. */
export const firstTrust = ({ uid, verifyKeys }: HostOfSite): PlatformTrust => ({
  uid,
  verifyKeys,
  twinRev: 0,
});
