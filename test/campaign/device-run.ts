import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Site } from '#test/support/site.ts';
import type { DeviceLoad } from './devices.ts';

export interface DeviceRun {
  /** References acknowledged so far. */
  readonly acknowledged: readonly string[];
  readonly running: boolean;
  /** Resolves when every alarm was answered or given up. Rejects when the devices end before. */
  readonly ended: Promise<DeviceEnd>;
  /** The devices vanish: whoever was not answered by now never knows. */
  readonly kill: () => Promise<void>;
}

export interface DeviceEnd {
  readonly sent: number;
  /** Alarms the devices gave up, one sentence each. */
  readonly failures: readonly string[];
}

/** Ten devices, as many as the demo tenant knows. */
const DEVICES = Array.from({ length: 10 }, (_, index) => `scaip-${String(index + 1).padStart(4, '0')}`);

/** Starts the devices; `inside` are words in front of the program, such as those that enter a network. */
export function startDevices(
  site: Site,
  load: Pick<DeviceLoad, 'count' | 'rate'> & Partial<DeviceLoad>,
  inside: readonly string[] = [],
): DeviceRun {
  const whole: DeviceLoad = {
    to: site.sip,
    domain: site.domain,
    devices: DEVICES,
    answerWaitMs: 3_000,
    tries: 20,
    ...load,
  };
  const words = [...inside, process.execPath, join(import.meta.dirname, 'devices.ts'), JSON.stringify(whole)];
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  const run = { acknowledged, running: true };
  const ended = new Promise<DeviceEnd>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('done ')) resolve(JSON.parse(line.slice('done '.length)) as DeviceEnd);
      else acknowledged.push(line);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      run.running = false;
      reject(new Error(`the devices ended with ${signal ?? code}`));
    });
  });
  // A caller that kills the devices does not wait for their end.
  ended.catch(() => undefined);
  return Object.assign(run, { ended, kill: () => kill(child) });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
