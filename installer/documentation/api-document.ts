import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '#cloud/main.ts';
import type { DescribedApi } from './api-page.ts';
import type { MessageDocument } from './watch-page.ts';

export interface ApiDocuments {
  readonly openApi: DescribedApi;
  readonly asyncApi: MessageDocument;
}

const ANY_PORT = '127.0.0.1:0';

/** Both documents as a control plane of this checkout answers them. It runs for a second, on loopback, with a store of its own. */
export async function apiDocuments(): Promise<ApiDocuments> {
  const data = mkdtempSync(join(tmpdir(), 'carillon-documents-'));
  const environment = {
    CARILLON_DATA: data,
    CARILLON_HTTP: ANY_PORT,
    CARILLON_EDGE: ANY_PORT,
    CARILLON_MQTT_LISTEN: ANY_PORT,
    CARILLON_LOG: 'error',
  };
  try {
    const cloud = await start({ flags: {}, environment, file: {} });
    if (!cloud.ok) throw new Error(cloud.error.reason);
    try {
      const [openApi, asyncApi] = await Promise.all(
        ['/openapi.json', '/asyncapi.json'].map(async (path) => {
          const answer = await fetch(`${String(cloud.value.ready.api)}${path}`);
          return settled(await answer.text());
        }),
      );
      return { openApi: openApi as DescribedApi, asyncApi: asyncApi as MessageDocument };
    } finally {
      await cloud.value.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Ports of this moment have no place in a page: the same sources give the same bytes. */
const settled = (text: string): unknown => JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'));
