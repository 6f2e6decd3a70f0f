import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { start } from '#cloud/main.ts';

const other = createServer();
let port: number;
let folder: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  folder = mkdtempSync(join(tmpdir(), 'carillon-taken-'));
});
afterAll(() => {
  other.close();
  rmSync(folder, { recursive: true });
});

it.each(['CARILLON_HTTP', 'CARILLON_EDGE', 'CARILLON_MQTT_LISTEN'])(
  'a control plane that cannot have an address says which setting names it: %s',
  async (name) => {
    const free = {
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
    };
    const environment = {
      CARILLON_DATA: folder,
      CARILLON_LOG: 'error',
      ...free,
      [name]: `127.0.0.1:${port}`,
    };
    const started = await start({ flags: {}, environment, file: {} });
    if (started.ok) await started.value.close();
    expect(started).toMatchObject({
      ok: false,
      error: {
        reason: expect.stringMatching(
          new RegExp(`127\\.0\\.0\\.1 port ${port}: .*EADDRINUSE.*end that one, or .* in ${name}$`),
        ),
      },
    });
  },
);
