import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '#cloud/main.ts';

/** The control plane as the program composes it, on free loopback ports and a folder of its own. */
export interface WholeCloud {
  readonly api: string;
  /** Token of the platform owner. */
  readonly owner: string;
  readonly folder: string;
  /** The link by which the first owner of the platform comes in, once. */
  readonly setupLink: string | undefined;
  readonly close: () => Promise<void>;
}

export async function openWholeCloud(environment: Record<string, string> = {}): Promise<WholeCloud> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-whole-'));
  const started = await start({
    flags: {},
    environment: {
      CARILLON_DATA: folder,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_LOG: 'error',
      CARILLON_RATE_LIMITS: 'off',
      ...environment,
    },
    file: {},
  });
  if (!started.ok) throw new Error(started.error.reason);
  return {
    api: String(started.value.ready.api),
    owner: readFileSync(join(folder, 'bootstrap-token'), 'utf8').trim(),
    folder,
    setupLink: started.value.setupLink,
    close: async () => {
      await started.value.close();
      rmSync(folder, { recursive: true });
    },
  };
}
