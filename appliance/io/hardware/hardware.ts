import type { MachineParts } from './machine-parts.ts';

/** Parts of this machine. Their package is ten megabytes of memory: it is loaded when they are asked for. */
export async function readHardware(): Promise<MachineParts> {
  const { readMachineParts } = await import('./machine-parts.ts');
  return await readMachineParts();
}
