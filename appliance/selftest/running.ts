import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { FarEnd, TestAlarmResult, TrunkHostProbe } from '#shared/self-test/index.ts';

/** Did the broker bring back what this host said? */
export type BrokerEcho =
  | { readonly kind: 'heard'; readonly ms: number }
  | { readonly kind: 'notEnrolled' }
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'notDelivered'; readonly waitedMs: number };

/**
 * Probes that only the running appliance can make: it holds the one session at the broker, the trunks know its address, its outbox
 * sends the alarms, and it answers the call of this test.
 */
export interface RunningProbes {
  readonly echo: () => Promise<BrokerEcho>;
  readonly trunks: () => Promise<readonly TrunkHostProbe[]>;
  /** Opens an address for loop calls; the user part of it. */
  readonly expectCall: () => Promise<{ readonly user: string }>;
  /** Undefined: no call is expected there any more. */
  readonly farEnd: (user: string) => Promise<FarEnd | undefined>;
  /** Sends a test alarm to every application, and waits for the results. */
  readonly alarms: () => Promise<readonly TestAlarmResult[]>;
}

/** Written again at each start, for programs of this machine that may read the folder of all state. */
export const LOCAL_KEY_FILE = 'local-key';
/** An echo takes 10 s at most, a silent trunk 8 s, a test alarm 18 s. */
const WITHIN_MS = 25_000;

/** The same, asked of the service by its own listener. Rejects when it does not answer. */
export const throughListener = (
  folder: string,
  listener: { readonly host: string; readonly port: number },
): RunningProbes => ({
  echo: async () => (await ask(folder, listener, 'echo')) as BrokerEcho,
  trunks: async () => (await ask(folder, listener, 'trunk')) as readonly TrunkHostProbe[],
  expectCall: async () => (await ask(folder, listener, 'call')) as { readonly user: string },
  farEnd: async (user) => ((await ask(folder, listener, 'far-end', { user })) as FarEnd | null) ?? undefined,
  alarms: async () => (await ask(folder, listener, 'alarm')) as readonly TestAlarmResult[],
});

/** Its certificate names its address outside, so it is not judged here: the key is shown to this machine only. */
function ask(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
  name: 'echo' | 'trunk' | 'call' | 'far-end' | 'alarm',
  body: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const key = readFileSync(join(folder, LOCAL_KEY_FILE), 'utf8').trim();
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host,
        port,
        path: `/technician/api/probe/${name}`,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'x-carillon': '1' },
        rejectUnauthorized: false,
        agent: false,
        timeout: WITHIN_MS,
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`the service answered ${answer.statusCode}`));
        });
      },
    );
    asking.on('timeout', () => asking.destroy(new Error('the service does not answer')));
    asking.on('error', reject);
    asking.end(JSON.stringify(body));
  });
}
