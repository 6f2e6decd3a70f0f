import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createClient } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { dim } from '../io/terminal/terminal.ts';
import type { DeadLetterLine, Programs } from '../program.ts';
import { findLogin, stopFor, type Terminal } from './operator/index.ts';

interface Flags {
  readonly data?: string;
  readonly cloud?: string;
  readonly token?: string;
  readonly most?: string;
  readonly all?: boolean;
  readonly id?: readonly string[];
  readonly json?: boolean;
}

/** A host of a tenant; undefined: the appliance of this machine. */
type Host = { readonly domain: string; readonly siteId: string; readonly hostId: string } | undefined;

const MOST = 1_000;
const PAGE = 100;
/** The appliance looks every 5 s for what was laid down. */
const TAKEN_WITHIN_MS = 12_000;
const LOOK_MS = 200;

/** `carillon outbox …`: callbacks that were given up, on this machine or on a host by way of the cloud. */
export function outboxCommands(root: Command, programs: Programs, terminal: Terminal): void {
  const outbox = root.command('outbox').summary('callbacks that were given up');

  place(outbox.command('list'))
    .description('Lists failed callbacks (dead letters) of this machine or of a host, oldest first.')
    .option('--most <n>', `longest list (default ${MOST})`)
    .addHelpText(
      'after',
      '\nExamples:\n  carillon outbox list                              on the appliance itself\n' +
        '  carillon outbox list care.example north gw-1      through the cloud',
    )
    .action(async (...given: unknown[]) => {
      const { host, flags } = read(given);
      const most = numberOf(flags.most ?? String(MOST));
      const letters =
        host === undefined
          ? done((await programs.onSite()).deadLetters(folderOf(flags), most))
          : await lettersOf(host, flags, terminal, most);
      if (flags.json === true) terminal.say(JSON.stringify({ success: true, letters }));
      else if (letters.length === 0) terminal.say('nothing was given up');
      else for (const letter of letters) terminal.say(line(letter));
    });

  place(outbox.command('replay'))
    .description('Sends failed callbacks again, each under its own Idempotency-Key.')
    .option('--id <id...>', 'only these')
    .option('--all', 'all of them')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon outbox replay --all                                 on the appliance itself\n' +
        '  carillon outbox replay care.example north gw-1 --id 01jd…    through the cloud',
    )
    .action(async (...given: unknown[]) => {
      const { host, flags } = read(given);
      if ((flags.all === true) === (flags.id !== undefined))
        throw new Stop(exitCode.wrongUse, 'Say which: --id <id> as carillon outbox list shows it, or --all.');
      if (host === undefined) await replayHere(flags, programs, terminal);
      else await replayThere(host, flags, terminal);
    });
}

const place = (command: Command): Command =>
  command
    .argument('[domain]', 'tenant of the host; nothing: the appliance of this machine')
    .argument('[siteId]')
    .argument('[hostId]')
    .option('--data <folder>', 'folder of the appliance (default: CARILLON_DATA)')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object');

function read([domain, siteId, hostId, flags]: readonly unknown[]): { host: Host; flags: Flags } {
  const names = [domain, siteId, hostId].filter((name) => name !== undefined) as string[];
  if (names.length !== 0 && names.length !== 3)
    throw new Stop(exitCode.wrongUse, 'Name domain, site and host, or none of them for this machine.');
  const [first = '', second = '', third = ''] = names;
  const host = names.length === 0 ? undefined : { domain: first, siteId: second, hostId: third };
  return { host, flags: flags as Flags };
}

async function lettersOf(
  host: NonNullable<Host>,
  flags: Flags,
  terminal: Terminal,
  most: number,
): Promise<readonly DeadLetterLine[]> {
  const letters: DeadLetterLine[] = [];
  let after: unknown = 0;
  while (letters.length < most && typeof after === 'number') {
    const args = { after, limit: Math.min(PAGE, most - letters.length) };
    const answer: Record<string, unknown> = await asked(host, flags, terminal, 'outbox.list', args);
    letters.push(...(answer.letters as DeadLetterLine[]));
    ({ after } = answer);
  }
  return letters;
}

async function replayThere(host: NonNullable<Host>, flags: Flags, terminal: Terminal): Promise<void> {
  const args = flags.id === undefined ? {} : { ids: flags.id };
  const { taken } = await asked(host, flags, terminal, 'outbox.replay', args);
  terminal.say(
    flags.json === true
      ? JSON.stringify({ success: true, taken })
      : `${Number(taken)} callbacks are sent again; carillon outbox list shows what is given up once more.`,
  );
}

async function replayHere(flags: Flags, programs: Programs, { say }: Terminal): Promise<void> {
  const site = await programs.onSite();
  const folder = folderOf(flags);
  done(site.replay(folder, flags.id));
  let taken = site.replayTaken(folder);
  for (let waitedMs = 0; !taken && waitedMs < TAKEN_WITHIN_MS; waitedMs += LOOK_MS) {
    await wait(LOOK_MS);
    taken = site.replayTaken(folder);
  }
  if (flags.json === true) say(JSON.stringify({ success: true, taken }));
  else
    say(
      taken
        ? 'They are sent again; carillon outbox list shows what is given up once more.'
        : 'The appliance does not run; it sends them when it is started.',
    );
}

async function asked(
  host: NonNullable<Host>,
  { cloud, token }: Flags,
  { environment }: Terminal,
  op: 'outbox.list' | 'outbox.replay',
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const login = findLogin(environment, {
    ...(cloud === undefined ? {} : { cloud }),
    ...(token === undefined ? {} : { token }),
  });
  const client = createClient({ baseUrl: login.cloud, token: () => login.token, fetch });
  const answer = await client.call('postSiteByDomainBySiteIdHostByHostIdRpc', {
    ...host,
    body: { op, args },
  });
  if (!answer.ok) throw stopFor(answer.error);
  return answer.value.data;
}

const folderOf = ({ data }: Flags): string =>
  data ?? process.env[settingTable.data.env] ?? settingTable.data.fallback ?? '.';

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Stop(exitCode.wrongUse, `--most must be a number from 1 on, not ${text}.`);
  return value;
}

function done<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Stop(result.error.code === 'disk' ? exitCode.disk : exitCode.missing, result.error.reason);
}

const line = ({ id, type, dest, createdAt, attempts, lastError }: DeadLetterLine): string =>
  `${id}  ${new Date(createdAt).toISOString()}  ${type}  ${dest}  ${dim(`${attempts} attempts: ${lastError ?? '-'}`)}`;
