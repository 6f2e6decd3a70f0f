import type { Written } from './configuration.ts';

/**
 * Chosen: what a site may take of the memory of its host, MB. Half of `highMb` becomes the heap of each thread. `small`: a few
 * calls at once on a machine of 1 GB; `large`: hundreds of calls with recordings and prompts.
 */
export const MEMORY_PROFILES = {
  small: { highMb: 256, maxMb: 352 },
  standard: { highMb: 384, maxMb: 512 },
  large: { highMb: 1_024, maxMb: 1_536 },
} as const;

export type MemoryProfile = keyof typeof MEMORY_PROFILES;

/** The memory of the machine for all other programs on it: system, name servers, people who are logged in. */
const OTHERS_MB = 384;

/** MB that a machine must have for a profile. */
export const neededMb = (profile: MemoryProfile): number => MEMORY_PROFILES[profile].maxMb + OTHERS_MB;

/** Lines of the unit for a profile; none for the figures that it has by itself. */
export function memoryLines({ memory_profile: named }: Written): readonly string[] {
  const profile = Object.entries(MEMORY_PROFILES).find(([name]) => name === named);
  if (profile === undefined || profile[0] === 'standard') return [];
  const [name, { highMb, maxMb }] = profile;
  return [`# Memory of a site that is ${name}`, `MemoryHigh=${highMb}M`, `MemoryMax=${maxMb}M`];
}
