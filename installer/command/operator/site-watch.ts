import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createClient } from '#shared/client/index.ts';
import type { Host, SiteNews } from '#shared/contract/site/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { eventsIn, type StreamEvent } from './event-stream.ts';
import { findLogin, type Login } from './login.ts';
import type { Terminal } from './terminal.ts';

/** The wait before a stream that ended, or could not be opened, is tried again. */
const AGAIN_MS = 2_000;
/** The stream gives a sign of life each 15 s; a client that hears none for so long has lost it. */
const SILENCE_MS = 45_000;

interface Flags {
  readonly cloud?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly once?: boolean;
}

/** As much of a host as a line shows. */
type Shown = Pick<Host, 'siteId' | 'hostId' | 'status' | 'vendorSpecificDistressString'>;

/** `carillon site watch`: one line for every host at first, then one for each that changes, until Ctrl-C. */
export function siteWatchCommand(site: Command, { environment, say, over }: Terminal): void {
  site
    .command('watch')
    .description('Shows the hosts of a tenant and every change of their state, until it is stopped.')
    .argument('<domain>')
    .option('--once', 'only how they are now')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object for each line')
    .addHelpText('after', '\nExample:\n  carillon site watch care.example')
    .action(async (domain: string, flags: Flags) => {
      const login = findLogin(environment, {
        ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
        ...(flags.token === undefined ? {} : { token: flags.token }),
      });
      const shown = new Map<string, string>();
      const line = (key: string, state: string, facts: object): void => {
        if (shown.get(key) === state) return;
        shown.set(key, state);
        const at = new Date().toISOString();
        say(flags.json === true ? JSON.stringify({ at, ...facts }) : `${at}  ${key}  ${state}`);
      };
      const nameOf = ({ siteId, hostId }: Pick<Host, 'siteId' | 'hostId'>) => `${siteId}/${hostId}`;
      const show = (host: Shown): void =>
        line(nameOf(host), `${host.status}  ${host.vendorSpecificDistressString}`.trim(), host);
      const removed = (key: string, facts: object): void => {
        if (!shown.has(key)) return;
        line(key, 'gone', { ...facts, status: 'gone' });
        shown.delete(key);
      };

      /** Everything as it is now: at first, and where changes were missed. */
      const all = async (): Promise<boolean> => {
        const client = createClient({ baseUrl: login.cloud, token: () => login.token, fetch });
        const answer = await client.call('getSiteByDomain', { domain });
        if (!answer.ok) return stopUnless(answer.error.code === 'unreachable', answer.error.reason);
        const hosts = answer.value.data.site;
        for (const host of hosts) show(host);
        const there = new Set(hosts.map(nameOf));
        for (const key of [...shown.keys()]) {
          const [siteId, hostId] = key.split('/');
          if (!there.has(key)) removed(key, { siteId, hostId });
        }
        return true;
      };

      if (flags.once === true) {
        if (!(await all()))
          throw new Stop(
            exitCode.tryAgain,
            `The control plane does not answer at ${login.cloud}. Check the address and the network.`,
          );
        return;
      }
      let last: string | undefined;
      let isReported = false;
      const isOver = (): boolean => over?.aborted === true;
      while (!isOver()) {
        for await (const { id, event, data } of streamOf(login, domain, last, over)) {
          const item = { id, event, data: JSON.parse(data) } as SiteNews;
          // Without the list nothing that follows it has a meaning: the stream is opened again.
          if (item.event === 'reset' && !(await all())) break;
          last = item.id;
          isReported = false;
          if (item.event === 'host') show(item.data);
          if (item.event === 'gone') removed(nameOf(item.data), item.data);
        }
        if (isOver()) return;
        // The shown state is never silently old.
        const what = `${login.cloud} sends no changes now; the state above may be old`;
        const at = new Date().toISOString();
        if (!isReported) say(flags.json === true ? JSON.stringify({ at, lost: what }) : `${at}  ${what}`);
        isReported = true;
        await wait(AGAIN_MS, undefined, over === undefined ? {} : { signal: over }).catch(() => undefined);
      }
    });
}

function stopUnless(passing: boolean, reason: string): false {
  if (!passing) throw new Stop(exitCode.refused, reason);
  return false;
}

/**
 * The events of the stream of a tenant (`GET /site/{domain}/stream`), from after `last` where that is still known. Ends when
 * the connection does; throws `Stop` when the cloud will not have us.
 */
async function* streamOf(
  { cloud, token }: Login,
  domain: string,
  last: string | undefined,
  over: AbortSignal | undefined,
): AsyncGenerator<StreamEvent> {
  const silent = new AbortController();
  const lost = setTimeout(() => silent.abort(), SILENCE_MS);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...(last === undefined ? {} : { 'last-event-id': last }),
  };
  const signal = over === undefined ? silent.signal : AbortSignal.any([silent.signal, over]);
  try {
    const answer = await fetch(`${cloud}/site/${encodeURIComponent(domain)}/stream`, { headers, signal });
    if (!answer.ok || answer.body === null) await refused(answer);
    else yield* eventsIn(alive(answer.body, lost));
  } catch (cause) {
    // Every network failure leads to another try.
    if (cause instanceof Stop) throw cause;
  } finally {
    clearTimeout(lost);
    silent.abort();
  }
}

/** Any byte is a sign of life. */
async function* alive(body: AsyncIterable<Uint8Array>, lost: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    lost.refresh();
    yield chunk;
  }
}

/** Too many who listen, or a cloud that is being started, pass; anything else is an answer. */
async function refused(answer: Response): Promise<void> {
  const { status } = answer;
  if (status === 429 || status >= 500) return;
  const body = (await answer.json().catch(() => ({}))) as { reason?: string };
  const code = status === 401 || status === 403 ? exitCode.notPermitted : exitCode.refused;
  throw new Stop(code, body.reason ?? `The cloud answered ${status}.`);
}
