import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { addressOf, pagePaths } from './route.ts';

const SHOWN = 'Ctrl-C ends everything.';

/** The console of a demo that runs, with an alarm in it and its owner signed in. */
export interface DemoConsole {
  readonly open: SignedIn;
  readonly api: string;
  /** A fact of the ready line, by its name. */
  readonly there: (name: string) => string;
  /** Password of the telephones of the demo. */
  readonly password: string;
  /** State of the demo; files of a test may lie beside it. */
  readonly folder: string;
  /** A simulator, to its end: `scaip`, and its words behind the address of the host. */
  readonly simulate: (kind: string, ...words: string[]) => Promise<Ended>;
  /** Address of every page of the list, below `/console/`. */
  readonly addresses: readonly string[];
  readonly close: () => Promise<void>;
}

/** `offset`: of all ports of the demo; `words`: more of its command; `fill` writes into its state, while it stands still. */
export async function openDemoConsole(
  offset: number,
  words: readonly string[] = [],
  fill?: (data: string) => void,
): Promise<DemoConsole> {
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sheet-'));
  const data = join(folder, 'data');
  const begin = () =>
    spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(offset), ...words], {
      cwd: folder,
      // Fifteen people who sign in at one address within a minute are more than the limit of sign-ins takes.
      env: { ...process.env, CARILLON_DATA: data, CARILLON_LOG: 'error', CARILLON_RATE_LIMITS: 'off' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  let demo = begin();
  const stop = async (): Promise<void> => {
    const exited = once(demo, 'exit');
    if (demo.kill('SIGINT')) await exited;
  };
  const end = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (fill !== undefined) {
      await readyOf(demo.stdout);
      await stop();
      fill(data);
      demo = begin();
    }
    return await enter();
  } catch (cause) {
    await end();
    throw cause;
  }

  async function enter(): Promise<DemoConsole> {
    const ready = await readyOf(demo.stdout);
    const there = (name: string): string => String(ready[name]);
    const simulate = (kind: string, ...more: string[]): Promise<Ended> =>
      runProgram(process.execPath, [CARILLON, 'simulate', kind, '--to', there('sip'), ...more], {
        withinMs: 180_000,
      });
    await simulate('scaip', '--domain', there('domain'), '--talk', '0');
    const open = await signInBrowser({ api: there('api'), owner: there('token'), domain: there('domain') });
    const addresses = await addressesOf(open, there('domain'));
    const close = async (): Promise<void> => {
      await open.close();
      await end();
    };
    const kept = JSON.parse(readFileSync(join(data, 'demo', 'ready.json'), 'utf8'));
    const password = kept.telephonePassword;
    return { open, api: there('api'), there, password, folder, simulate, addresses, close };
  }
}

/** The line "ready" of a demo, once the demo has written everything. It is heard to its end: a pipe that nothing reads would end it. */
async function readyOf(output: NodeJS.ReadableStream): Promise<Record<string, unknown>> {
  return await new Promise((resolve, reject) => {
    let said = '';
    output.on('data', (text) => {
      said += String(text);
      if (said.includes(SHOWN)) resolve(JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}'));
    });
    output.once('end', () => reject(new Error(`The demo ended before it was ready: ${said}`)));
  });
}

/** Every page of the list; one of a single object shows an object of the demo. */
async function addressesOf({ call }: SignedIn, domain: string): Promise<readonly string[]> {
  const ids = async (path: string, member: string, name: string): Promise<string> => {
    const rows = (await call('GET', path))[member] as readonly Record<string, unknown>[] | undefined;
    return String(rows?.[0]?.[name] ?? '');
  };
  const record = await ids(`/record/${domain}?limit=1`, 'records', 'recordId');
  const bridge = await ids(`/provisioning/alarmbridge/${domain}`, 'alarmbridges', 'id');
  const device = await ids(`/provisioning/device/${domain}?limit=1`, 'devices', 'deviceId');
  const { data } = (await call('GET', `/site/${domain}`)) as unknown as {
    readonly data: { readonly site: readonly { readonly siteId: string; readonly hostId: string }[] };
  };
  const { siteId = '', hostId = '' } = data.site[0] ?? {};
  const examples: Readonly<Record<string, string>> = {
    'record/$recordId': `record/${record}`,
    'recording/$recordId': `recording/${record}`,
    'try-on-history/$': `try-on-history/${bridge}`,
    'device/$deviceId': `device/${device}`,
    'site/$': `site/${siteId}`,
    'host/$': `host/${siteId}/${hostId}`,
    'taker/$': 'taker/scaip',
  };
  // Pages of one address that show a list, and below it one of its objects.
  const more = [`bridge/${bridge}`, 'bridge/new', 'trunk/new', `host/${siteId}/${hostId}?part=past`];
  return [...pagePaths().map((path) => addressOf(path, examples)), ...more];
}
