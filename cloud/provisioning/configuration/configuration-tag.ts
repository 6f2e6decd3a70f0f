import { currentRevision, type Reader } from '../../store/index.ts';

/** Entity tag of everything a tenant has in its working set: its revision. */
export const configurationTag = async (from: Reader, tenant: string): Promise<string> =>
  `"tenant-${await currentRevision(from, 'tenant', tenant)}"`;
