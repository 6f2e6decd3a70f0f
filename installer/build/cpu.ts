/** CPUs by Node's names. */
export const CPUS = ['x64', 'arm64'] as const;
export type Cpu = (typeof CPUS)[number];

/** As Debian names it. */
export const DEBIAN_CPU: Readonly<Record<Cpu, string>> = { x64: 'amd64', arm64: 'arm64' };

/** As the kernel says it (`uname -m`). */
export const KERNEL_CPU: Readonly<Record<Cpu, string>> = { x64: 'x86_64', arm64: 'aarch64' };
