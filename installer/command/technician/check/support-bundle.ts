import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'smol-toml';
import { redactLines, redactValue } from '#shared/redact/index.ts';
import { SELF_TEST_FILE } from '#shared/self-test/index.ts';
import { settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { textOf } from '../../../io/host/appliance-unit.ts';
import { run } from '../../../io/host/host-program.ts';
import { ownVersion } from '../../../io/release.ts';
import { layout, SERVICE, secretKeys } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { type CommonFlags, personOf, withCommonFlags } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { mayRead } from './access.ts';
import { hostStatus } from './status.ts';

interface BundleFlags extends CommonFlags {
  readonly output?: string;
}

/** The reports of the host about itself, one file each. */
const ASKED: readonly (readonly [file: string, argv: readonly string[]])[] = [
  [
    'journal.txt',
    [
      'journalctl',
      '-u',
      'carillon-*',
      '--since=-24h',
      '--no-pager',
      '-o',
      'short-iso-precise',
      '-n',
      '100000',
    ],
  ],
  ['service.txt', ['systemctl', 'show', SERVICE, '--no-pager']],
  ['units.txt', ['systemctl', 'list-units', 'carillon-*', '--all', '--no-pager', '--plain']],
  ['routes.txt', ['ip', 'route', 'show', 'table', 'all']],
  ['addresses.txt', ['ip', 'address', 'show']],
  ['sockets.txt', ['ss', '-tulpn']],
  ['disk.txt', ['df', '-hT']],
  ['memory.txt', ['cat', '/proc/meminfo']],
  ['time.txt', ['timedatectl', 'status']],
  ['system.txt', ['sh', '-c', 'uname -a; cat /etc/os-release; uptime']],
];

/** Names of fields that hold a secret whatever wrote them. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  ...secretKeys,
  'password',
  'secret',
  'claimCode',
  'code',
  'token',
  'd',
]);

/** `carillon support-bundle`: one file for whoever helps, without secrets and full numbers. */
export function supportBundleCommand(root: Command, programs: Programs): void {
  withCommonFlags(root.command('support-bundle').summary('one file for support'))
    .description(
      'Collects versions, settings, the last 24 h of the log, self-tests, network and database figures.',
    )
    .option('-o, --output <file>', 'where to write it (default: carillon-<host>-<time>.tar.gz here)')
    .addHelpText('after', '\nExample:\n  carillon support-bundle -o /media/stick/bundle.tar.gz')
    .action((flags: BundleFlags) => supportBundle(flags, programs));
}

async function supportBundle(flags: BundleFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  mayRead(judged(configured()).data ?? layout.state, person);
  const at = new Date().toISOString();
  const name = `carillon-${hostname()}-${at.slice(0, 19).replaceAll(/[:T]/g, '-')}`;
  const file = resolve(flags.output ?? `${name}.tar.gz`);
  const parent = mkdtempSync(join(tmpdir(), 'carillon-bundle-'));
  try {
    mkdirSync(join(parent, name), { mode: 0o700 });
    const parts = await collected(programs);
    const secrets = knownSecrets();
    const manifest: { readonly name: string; readonly bytes: number }[] = [];
    for (const [part, text] of parts) {
      const clean = redactLines(text, secrets);
      writeFileSync(join(parent, name, part), clean, { mode: 0o600 });
      manifest.push({ name: part, bytes: Buffer.byteLength(clean) });
    }
    const head = { kind: 'carillon-support-bundle', v: 1, at, release: ownVersion(), files: manifest };
    writeFileSync(join(parent, name, 'manifest.json'), `${JSON.stringify(head, null, 2)}\n`, { mode: 0o600 });
    const packed = await run(['tar', '-C', parent, '-czf', file, name]);
    if (packed.code !== 0) {
      const [reason = ''] = packed.err.trim().split('\n');
      throw new Stop(exitCode.disk, person.text('bundle.not-written', { file, reason }));
    }
    const size = Math.ceil(statSync(file).size / 1_024);
    person.record({ file, size, files: manifest.map((part) => part.name) });
    person.line(person.text('bundle.done', { file, size }));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function collected(programs: Programs): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  const json = (value: unknown): string => `${JSON.stringify(redactValue(value, SECRET_FIELDS), null, 2)}\n`;
  parts.set('status.json', json(await hostStatus(programs)));
  const text = textOf(layout.configuration);
  if (text !== undefined) parts.set('configuration.json', json(parse(text)));
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => key.startsWith('CARILLON_')),
  );
  const bySetting = new Set(
    Object.values(settingTable)
      .filter(({ secret }) => secret)
      .map(({ env }) => env),
  );
  parts.set('environment.json', `${JSON.stringify(redactValue(environment, bySetting), null, 2)}\n`);
  const folder = judged(configured()).data ?? layout.state;
  const selfTest = textOf(join(folder, SELF_TEST_FILE));
  if (selfTest !== undefined) parts.set('self-test.json', selfTest);
  const journal = textOf(layout.journal);
  if (journal !== undefined) parts.set('last-change.jsonl', journal);
  const rows = await programs.countRows(folder).catch((cause: unknown) => String(cause));
  parts.set('database.json', json(rows));
  for (const [part, argv] of ASKED) {
    const { code, out, err } = await run(argv, { withinMs: 30_000 });
    parts.set(part, code === 0 ? out : `${argv.join(' ')} ended with ${code}\n${err}${out}`);
  }
  return parts;
}

/** Values of secret settings, so that they are found wherever they were written. */
function knownSecrets(): readonly string[] {
  const written = configured();
  const folder = written.data ?? layout.state;
  const kept = ['technician-code', 'local-key'].map((name) => textOf(join(folder, name))?.trim());
  return [
    ...secretKeys.flatMap((key) => [written[key], process.env[`CARILLON_${key.toUpperCase()}`]]),
    ...kept,
  ].filter((each) => each !== undefined);
}
