import type { Written } from './configuration.ts';
import { lowPortLines } from './low-port.ts';
import { memoryLines } from './memory-profile.ts';

const HEAD = '# Written by `carillon configure`; what is yours goes into another file of this folder.\n';

/** The lines that the unit needs in addition for these settings. */
export function dropInText(written: Written): string {
  const lines = [...memoryLines(written), ...lowPortLines(written)];
  if (lines.length === 0) return `${HEAD}# Memory and ports are the usual ones: nothing is needed.\n`;
  return `${HEAD}[Service]\n${lines.join('\n')}\n`;
}
