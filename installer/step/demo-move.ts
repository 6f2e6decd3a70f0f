import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoPorts } from './demo-port.ts';

/**
 * A demo that was begun under other ports goes on under these: its host finds the control plane, and takes its
 * configuration from there before it serves, because the kept one still names the demo's application at its old port.
 */
export function moveDemo(folder: string, ports: Pick<DemoPorts, 'edge' | 'mqtt'>): void {
  const file = join(folder, 'identity.json');
  if (!existsSync(file)) return;
  const identity = JSON.parse(readFileSync(file, 'utf8')) as { edgeUrl: string; brokerUrl: string };
  const edgeUrl = atPort(identity.edgeUrl, ports.edge);
  const brokerUrl = atPort(identity.brokerUrl, ports.mqtt);
  if (edgeUrl === identity.edgeUrl && brokerUrl === identity.brokerUrl) return;
  // First, so that a start that is cut here is repeated whole.
  for (const name of readdirSync(folder)) if (name.startsWith('config')) rmSync(join(folder, name));
  writeFileSync(file, `${JSON.stringify({ ...identity, edgeUrl, brokerUrl }, null, 2)}\n`, { mode: 0o600 });
}

const atPort = (url: string, port: number): string => url.replace(/:\d+$/, `:${port}`);
