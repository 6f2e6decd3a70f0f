import { cpu, diskLayout, fsSize, memLayout, osInfo } from 'systeminformation';

/** Longer than lsblk and dmidecode take on a machine that is well, ms. */
const WITHIN_MS = 10_000;

/** Parts of a machine; a part is missing where the machine does not tell it. */
export interface MachineParts {
  readonly processor?: object;
  readonly memory?: readonly object[];
  readonly disks?: readonly object[];
  readonly fileSystems?: readonly object[];
  readonly operatingSystem?: object;
}

/**
 * Processor, memory, disks and operating system, for whoever cares for the machine. Never rejects. Interop: `system()` of the
 * package is left out, since it blocks the thread in a shell that looks for words in the kernel's log.
 */
export async function readMachineParts(): Promise<MachineParts> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), WITHIN_MS).unref();
  const withinTime = async <Part>(part: Promise<Part>): Promise<Part | undefined> =>
    await Promise.race([part.catch(() => undefined), late]);
  const [processor, memory, disks, fileSystems, operatingSystem] = await Promise.all([
    withinTime(cpu()),
    withinTime(memLayout()),
    withinTime(diskLayout()),
    withinTime(fsSize()),
    withinTime(osInfo()),
  ]);
  clearTimeout(timer);
  return {
    ...(processor !== undefined && { processor }),
    ...(memory !== undefined && { memory }),
    ...(disks !== undefined && { disks }),
    ...(fileSystems !== undefined && { fileSystems }),
    ...(operatingSystem !== undefined && { operatingSystem }),
  };
}
