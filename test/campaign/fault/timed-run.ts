import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Site } from '#test/support/site.ts';
import type { StrangerCount, StrangerLoad } from './strangers.ts';
import type { TimedAlarm, TimedLoad } from './timed-devices.ts';

/** Ten devices, as many as the demo tenant knows. */
const KNOWN = Array.from({ length: 10 }, (_, index) => `scaip-${String(index + 1).padStart(4, '0')}`);

/** Known devices; resolves to all of their alarms when each is acknowledged or given up. */
export function timedDevices(
  { sip, domain }: Pick<Site, 'sip' | 'domain'>,
  load: Pick<TimedLoad, 'rate' | 'seconds' | 'name'>,
): Promise<readonly TimedAlarm[]> {
  const whole: TimedLoad = { to: sip, domain, devices: KNOWN, ...load };
  return lines('timed-devices.ts', whole, (line) =>
    line === 'done' ? undefined : (JSON.parse(line) as TimedAlarm),
  );
}

/** Strangers of one kind; resolves to what they sent and heard. */
export async function strangers(
  {
    sip,
    sips,
    dc09,
    domain,
    siteBaseUrl,
    api,
  }: Pick<Site, 'sip' | 'sips' | 'dc09' | 'domain' | 'siteBaseUrl' | 'api'>,
  load: Pick<StrangerLoad, 'kind' | 'rate' | 'seconds'>,
): Promise<StrangerCount> {
  const whole: StrangerLoad = { to: sip, sips, dc09, domain, web: siteBaseUrl, api, ...load };
  const [count] = await lines('strangers.ts', whole, (line) => JSON.parse(line) as StrangerCount);
  if (count === undefined) throw new Error('the strangers ended without a word');
  return count;
}

/** Runs a program of this folder; what its lines say. Rejects when it fails. */
async function lines<T>(file: string, load: object, read: (line: string) => T | undefined): Promise<T[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const all: T[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const one = read(line);
    if (one !== undefined) all.push(one);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return all;
}
