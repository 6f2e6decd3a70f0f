import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { resumeWipe } from '#appliance/compose/wipe.ts';
import type { ApplianceConfig } from '#appliance/config.ts';
import { beginWipe, wipeBegun } from '#appliance/io/system/index.ts';

it('the end of a host is reported to the program that runs it, and the process goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-wipe-'));
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  try {
    await beginWipe(folder, '01jc7z5t3k9q8w6m4n2p0r1s5v');
    const appliance = resumeWipe({ data: folder, log: 'error' } as ApplianceConfig);
    await appliance.removed;
    expect(wipeBegun(folder)).toBeUndefined();
    expect(kill).not.toHaveBeenCalled();
    await appliance.close();
  } finally {
    kill.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
