import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import Database from 'better-sqlite3';
import { Hono } from 'hono';
import { type Served, serveParent } from './serve-parent.ts';

export interface BareSetting {
  readonly folder: string;
  readonly devices: number;
}

/** The peer: Hono and better-sqlite3 doing one statement a request, and nothing else. Synced as ours is. */
async function start({ folder, devices }: BareSetting): Promise<Served<{ port: number }, never, null>> {
  const db = new Database(join(folder, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE device (id TEXT PRIMARY KEY, authType TEXT, srtp TEXT, description TEXT)');
  const put = db.prepare(
    `INSERT INTO device VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET authType = excluded.authType, srtp = excluded.srtp, description = excluded.description`,
  );
  const get = db.prepare<[string], Record<string, unknown>>('SELECT * FROM device WHERE id = ?');
  db.transaction(() => {
    for (let i = 0; i < devices; i++) put.run(`device-${i}`, 'deviceid', 'negotiated', 'a device');
  })();
  const app = new Hono();
  app.get('/device/:id', (c) => {
    const row = get.get(c.req.param('id'));
    return row === undefined ? c.json({ success: false }, 404) : c.json({ ...row, success: true });
  });
  app.put('/device', async (c) => {
    const device = await c.req.json<Record<string, string>>();
    put.run(device.deviceId, device.authType, device.srtp, device.description);
    return c.json({ success: true });
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { ready: { port }, answer: () => null, close: async () => void server.close() };
}

serveParent(start);
