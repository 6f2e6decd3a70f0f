import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type CallFailure, createClient } from '#shared/client/index.ts';
import { csvText } from '#shared/contract/record/index.ts';
import { type ExitCode, exitCode, Stop } from '../../exit-code.ts';
import { readFileOf } from '../../io/file/readable-file.ts';
import { bold } from '../../io/terminal/terminal.ts';
import { EVIDENCE_OPERATIONS } from './evidence-table.ts';
import { evidenceVerifyCommand } from './evidence-verify.ts';
import { HOST_OPERATIONS } from './host-table.ts';
import { findLogin, keepLogin, type Login } from './login.ts';
import type { Answered, Given, Operation } from './operation/operation.ts';
import { PRIVACY_OPERATIONS } from './privacy-table.ts';
import { recordExportCommand } from './record-export.ts';
import { recordFollowCommand } from './record-follow.ts';
import { RECORD_OPERATIONS } from './record-table.ts';
import { PROMPT_OPERATIONS } from './resource/prompt-table.ts';
import { RESOURCE_OPERATIONS } from './resource/resource-table.ts';
import { TRIAL_OPERATIONS } from './resource/trial-table.ts';
import { siteWatchCommand } from './site-watch.ts';
import { SUPERVISION_OPERATIONS } from './supervision-table.ts';
import { OPERATIONS_OF_OPERATOR } from './table.ts';
import type { Terminal } from './terminal.ts';

const CLOUD = [
  '--cloud <url>',
  'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)',
] as const;

/** Chosen: a session that is followed is asked for so often; each look stands in the audit log. */
const FOLLOW_MS = 2_000;

/** `carillon tenant list` and its like: the rows of the table, each one use of the public API. */
export function operatorCommands(root: Command, terminal: Terminal): void {
  loginCommand(root, terminal);
  for (const operation of [
    ...OPERATIONS_OF_OPERATOR,
    ...HOST_OPERATIONS,
    ...SUPERVISION_OPERATIONS,
    ...PRIVACY_OPERATIONS,
    ...RECORD_OPERATIONS,
    ...EVIDENCE_OPERATIONS,
    ...RESOURCE_OPERATIONS,
    ...TRIAL_OPERATIONS,
    ...PROMPT_OPERATIONS,
  ]) {
    const words = operation.name.split(' ');
    const verb = words.at(-1) ?? '';
    const parent = words.length === 1 ? root : groupOf(root, words[0] ?? '');
    const command = parent.command(verb).description(operation.does);
    for (const name of operation.arguments) command.argument(name.startsWith('[') ? name : `<${name}>`);
    for (const [flag, meaning] of operation.options ?? []) command.option(flag, meaning);
    if (operation.list !== undefined) command.option('--csv', 'as CSV, for a spreadsheet');
    command
      .option(...CLOUD)
      .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
      .option('--json', 'the answer as one JSON object')
      .addHelpText('after', `\nExample:\n  ${operation.example}`)
      .action(async (...given: unknown[]) => await run(operation, givenOf(operation, given), terminal));
  }
  siteWatchCommand(groupOf(root, 'site'), terminal);
  recordFollowCommand(groupOf(root, 'record'), terminal);
  recordExportCommand(groupOf(root, 'record'), terminal);
  evidenceVerifyCommand(groupOf(root, 'evidence'), terminal);
}

const groupOf = (root: Command, name: string): Command =>
  root.commands.find((command) => command.name() === name) ?? newGroup(root, name);

/** `Chosen:` the older name of a group works for one release, because scripts have it. */
const OLDER: Readonly<Record<string, string>> = { incident: 'alarm' };

function newGroup(root: Command, name: string): Command {
  const group = root.command(name).summary(SUMMARIES[name] ?? '');
  const older = OLDER[name];
  return older === undefined ? group : group.alias(older);
}

const SUMMARIES: Readonly<Record<string, string>> = {
  tenant: 'tenants of the deployment',
  site: 'sites of a tenant',
  host: 'machines of the sites',
  device: 'devices of a tenant',
  incident: 'alarms of supervision',
  receiver: 'alarm receivers (bridges): who takes alarms, and whom they are posted to',
  sender: 'event senders (mappers): how alarms are sent on',
  trunk: 'carriers and exchanges',
  media: 'media services: calls whose flow an application decides',
  recording: 'recording services (SIPREC)',
  prompt: 'sound files of a tenant',
  record: 'sessions of a tenant: alarms, calls, messages',
  maintenance: 'times in which alarms are not notified',
  privacy: 'what is known of a device or a person',
  key: 'API keys of applications',
};

/** Commander gives the arguments in order, then the options, then itself. */
function givenOf({ arguments: names }: Operation, given: readonly unknown[]): Given {
  const options = given[names.length] as Given;
  return {
    ...options,
    ...Object.fromEntries(names.map((name, at) => [name.replace(/^\[|\]$/g, ''), given[at] as string])),
  };
}

async function run(operation: Operation, given: Given, { environment, say, over }: Terminal): Promise<void> {
  const { cloud, token } = findLogin(environment, loginFlags(given));
  const client = createClient({ baseUrl: cloud, token: () => token, fetch });
  const shows = given.follow === undefined ? undefined : operation.follow?.(say);
  for (let next: Given | undefined = given; shows !== undefined && next !== undefined; ) {
    const answer: Awaited<Answered> = await operation.run(client, next);
    if (!answer.ok) throw stopFor(answer.error);
    next = over?.aborted === true ? undefined : shows({ ...answer.value }, next);
    if (next === undefined) return;
    await pause(FOLLOW_MS);
  }
  const answer = await operation.run(client, given);
  if (!answer.ok) throw stopFor(answer.error);
  const body = answer.value as Readonly<Record<string, unknown>>;
  if (given.json !== undefined) say(JSON.stringify(body));
  else if (operation.list !== undefined && given.csv !== undefined) say(csvOf(operation.list, body));
  else if (operation.list !== undefined) {
    const [head = '', ...lines] = linesOf(operation.list, body);
    say(bold(head));
    for (const line of lines) say(line);
    for (const note of operation.notes?.(body) ?? []) say(note);
  } else say(operation.sentence?.(body, given) ?? JSON.stringify(body, undefined, 2));
}

const loginFlags = ({ cloud, token }: Given): Partial<Login> => ({
  ...(cloud === undefined ? {} : { cloud }),
  ...(token === undefined ? {} : { token }),
});

/** A failure of the API as an exit code for the shell (operations contract, exit codes). */
export function stopFor({ code, reason, status }: CallFailure): Stop {
  return new Stop(codeFor(code, status), reason);
}

function codeFor(code: string, status: number | undefined): ExitCode {
  if (code === 'unreachable') return exitCode.tryAgain;
  if (status === 401 || status === 403) return exitCode.notPermitted;
  return status === 429 || (status ?? 0) >= 500 ? exitCode.tryAgain : exitCode.refused;
}

/** Columns as wide as their widest entry; nothing but text, for a terminal and a pipe alike. */
function* linesOf([member, ...columns]: readonly string[], body: Readonly<Record<string, unknown>>) {
  const { rows, entries } = tableOf([member ?? '', ...columns], body);
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows)
    yield row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  if (body.more === true) yield `There are more than ${entries.length}: --most says how many to list.`;
}

/** The names of the columns, and a row for each entry. */
function tableOf(
  [member, ...columns]: NonNullable<Operation['list']>,
  body: Readonly<Record<string, unknown>>,
): { rows: string[][]; entries: readonly unknown[] } {
  const entries = body[member] as readonly Readonly<Record<string, unknown>>[];
  const cells = entries.map((entry) => columns.map((column) => cell(column, entry[column])));
  return { rows: [columns, ...cells], entries };
}

const csvOf = (list: NonNullable<Operation['list']>, body: Readonly<Record<string, unknown>>): string =>
  csvText(tableOf(list, body).rows).trimEnd();

function cell(column: string, value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (typeof value === 'number' && /(^at|At)$/.test(column)) return new Date(value).toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function loginCommand(root: Command, { environment, say }: Terminal): void {
  root
    .command('login')
    .summary('keep a token for the commands of the operator')
    .description(
      'Checks an API token with the cloud and keeps it in the configuration folder of this user (0600).',
    )
    .option(...CLOUD)
    .option('--token-file <file>', 'file that holds the token; - or nothing: the standard input')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  carillon login --cloud https://cloud.example --token-file .carillon/cloud/bootstrap-token',
    )
    .action(async (flags: { cloud?: string; tokenFile?: string; json?: boolean }) => {
      const given = {
        token: tokenOf(flags.tokenFile ?? '-'),
        ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
      };
      const login = findLogin(environment, given);
      const client = createClient({ baseUrl: login.cloud, token: () => login.token, fetch });
      const answer = await client.call('getPlatformTenant', { limit: '1' });
      // A tenant's token is refused there as well, but by its right and not as a stranger's.
      if (!answer.ok && answer.error.status !== 403) throw stopFor(answer.error);
      const file = keepLogin(environment, login);
      say(
        flags.json === true
          ? JSON.stringify({ success: true, cloud: login.cloud, file })
          : `Signed in to ${login.cloud}; the token is kept in ${file}.`,
      );
    });
}

function tokenOf(file: string): string {
  const token = readFileOf(file, `The token file ${file}`, exitCode.missing).toString('utf8').trim();
  if (token !== '') return token;
  throw new Stop(
    exitCode.wrongUse,
    'There is no token: give a file that holds one, or write it to the standard input.',
  );
}
