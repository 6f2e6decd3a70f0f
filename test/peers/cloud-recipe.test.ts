import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { freePorts } from '#test/support/site-port.ts';
import { CARILLON } from '../support/program/program.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { runProgram } from './support/program.ts';

/** The commands of systemd/cloud/README.md, typed: only names of hosts and passwords are those of here. */
const README = readFileSync('systemd/cloud/README.md', 'utf8');
const PASSWORD = 'of-no-use-elsewhere-1';
const place = new Place();
const folder = mkdtempSync(join(tmpdir(), 'carillon-recipe-'));
let server: Postgres;

beforeAll(async () => {
  server = await place.keep(startPostgres('postgres'));
});
afterAll(async () => {
  await place.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The line of the document that begins so, without its indent. */
const line = (begin: string): string =>
  README.split('\n')
    .find((each) => each.startsWith(`    ${begin}`))
    ?.trim() ?? expect.fail(`README.md says nothing that begins with ${begin}`);

it('PostgreSQL is made ready as the document says, and the control plane brings its schema', async () => {
  const { hostname, port } = new URL(server.url);
  const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: 'postgres' };
  // Without a terminal the password is read from here, twice.
  const making = spawn('setsid', ['--wait', 'sh', '-c', line('createuser')], { env, stdio: 'pipe' });
  let said = '';
  making.stderr.on('data', (text) => {
    said += text;
  });
  making.stdin.end(`${PASSWORD}\n${PASSWORD}\n`);
  expect(await once(making, 'exit'), said).toEqual([0, null]);
  const [, documented = ''] = line('CARILLON_DATABASE=').split(/=(.*)/s);
  const database = documented.replace('PASSWORD', PASSWORD).replace('db.example.org', `${hostname}:${port}`);
  expect(database).toContain('sslmode=verify-full');
  // The server of this test speaks on loopback only, without a certificate.
  const here = database.replace('?sslmode=verify-full', '');
  const words = [CARILLON, 'db', 'migrate', '--data', folder, '--database', here];
  const migrated = await runProgram(process.execPath, words);
  expect(migrated.code, migrated.stderr).toBe(0);
  const tables = await runProgram('psql', [
    here,
    '-Atc',
    "SELECT tableowner FROM pg_tables WHERE tablename = 'tenant'",
  ]);
  expect(tables.stdout.trim()).toBe('carillon');
});

it('Mosquitto takes the files that are written for it as the document says: our certificate, and no other', async () => {
  const run = async (...[program, ...words]: [string, ...string[]]): Promise<string> => {
    const ran = await runProgram(program, words);
    expect(ran.code, `${program} ${words.join(' ')}: ${ran.stderr}`).toBe(0);
    return ran.stdout;
  };
  const at = (name: string): string => join(folder, name);
  // The certificate of the server is the operator's own.
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=mqtt.example.org', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run(
    'openssl',
    'req',
    '-x509',
    ...made,
    ...names,
    '-keyout',
    at('server.key'),
    '-out',
    at('server.pem'),
  );
  const block = README.slice(README.indexOf('    carillon broker export mosquitto'));
  const script = block
    .slice(0, block.indexOf('\n\n'))
    .replaceAll(/^ {4}/gm, '')
    .replace('carillon broker', `${process.execPath} ${CARILLON} broker`)
    .replace('--config /etc/carillon/cloud.toml', `--data ${folder}`)
    .replaceAll('/etc/mosquitto/conf.d', at('conf.d'))
    .replaceAll('/etc/mosquitto', folder)
    .replaceAll('/etc/carillon', folder);
  // As a control plane that has run leaves its folder.
  await run(process.execPath, CARILLON, 'db', 'migrate', '--data', folder);
  await run('sh', '-euc', script);
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const file = at('conf.d/carillon.conf');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('listener 8883', `user root\nlistener ${port} 127.0.0.1`),
  );
  const broker = spawn('mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  broker.stderr.on('data', (text) => {
    said += text;
  });
  const publish = async (...words: string[]): Promise<number> => {
    const common = [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '--cafile',
      at('server.pem'),
      '-V',
      'mqttv311',
      '-q',
      '1',
    ];
    return (
      (
        await runProgram('timeout', [
          '8',
          'mosquitto_pub',
          ...common,
          '-t',
          'carillon/1/cp/state',
          '-m',
          'x',
          ...words,
        ])
      ).code ?? 1
    );
  };
  try {
    const ours = ['--cert', at('carillon-owner.pem'), '--key', at('carillon-owner.key')];
    await expect.poll(() => publish(...ours), { timeout: 20_000 }).toBe(0);
    expect(await publish(), said).not.toBe(0);
    expect(await publish('-u', 'carillon-cloud', '-P', PASSWORD), said).not.toBe(0);
  } finally {
    const exited = once(broker, 'exit');
    broker.kill();
    await exited;
  }
});
