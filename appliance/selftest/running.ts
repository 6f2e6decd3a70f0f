import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

/** Did the broker bring back what this host said? */
export type BrokerEcho =
  | { readonly kind: 'heard'; readonly ms: number }
  | { readonly kind: 'notEnrolled' }
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'notDelivered'; readonly waitedMs: number };

/** What a host of a trunk said to an OPTIONS of ours. */
export interface TrunkHostLook {
  readonly trunk: string;
  readonly host: string;
  readonly outcome:
    | { readonly kind: 'answered'; readonly status: number; readonly ms: number; readonly login: boolean }
    | { readonly kind: 'silent'; readonly waitedMs: number }
    | { readonly kind: 'unreachable'; readonly code: string; readonly reason: string };
  readonly registration?: 'registered' | 'underWay' | 'refused' | undefined;
}

/** What only the running appliance can try: it holds the one session at the broker, and the trunks know its address. */
export interface RunningProbes {
  readonly echo: () => Promise<BrokerEcho>;
  readonly trunks: () => Promise<readonly TrunkHostLook[]>;
}

/** Written anew at each start, for programs of this machine that may read the folder of all state. */
export const LOCAL_KEY_FILE = 'local-key';
/** An echo takes 10 s at most, a silent trunk 8 s. */
const WITHIN_MS = 15_000;

/** The same, asked of the service by its own door. Rejects when it does not answer. */
export const throughDoor = (
  folder: string,
  door: { readonly host: string; readonly port: number },
): RunningProbes => ({
  echo: async () => (await ask(folder, door, 'echo')) as BrokerEcho,
  trunks: async () => (await ask(folder, door, 'trunk')) as readonly TrunkHostLook[],
});

/** Its certificate names its address outside, so it is not judged here: the key is shown to this machine only. */
function ask(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
  name: 'echo' | 'trunk',
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
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          body += part;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(body));
          else reject(new Error(`the service answered ${answer.statusCode}`));
        });
      },
    );
    asking.on('timeout', () => asking.destroy(new Error('the service does not answer')));
    asking.on('error', reject);
    asking.end();
  });
}
