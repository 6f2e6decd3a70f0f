import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Result } from '#shared/result.ts';
import { readSettings, type Sources, settingTable } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';
import { settingSources } from '../io/file/config-file.ts';
import { fileReason } from '../io/file/readable-file.ts';
import { settleMemory } from '../io/host/memory.ts';
import { isPortTaken } from '../io/network/port-probe.ts';
import { asked, bold, complain, dim, green, red, say } from '../io/terminal/terminal.ts';
import type { Programs, Running } from '../program.ts';
import { baseOf, type CallbackTarget, callbackTarget } from '../step/callback-target.ts';
import { showFirstAlarm } from '../step/demo-alarm.ts';
import { showAnalogueAlarm } from '../step/demo-analogue.ts';
import { addressesOf, callbackCheck, forwarderTo, printTarget, relayTo } from '../step/demo-callback.ts';
import { rememberedDemo } from '../step/demo-memory.ts';
import { provisionMessageDevices } from '../step/demo-message.ts';
import { moveDemo } from '../step/demo-move.ts';
import { demoHostOnline } from '../step/demo-online.ts';
import { DEMO_OWNER } from '../step/demo-owner.ts';
import { checkDemoPorts, type DemoPorts, demoPorts, OFFSETS_APART } from '../step/demo-port.ts';
import { demoEnvironment, trustedPem } from '../step/demo-setting.ts';
import { provisionSimulated } from '../step/demo-simulated.ts';
import type { DemoStage } from '../step/demo-stage.ts';
import { DEMO_DOMAIN, DEMO_HOST, DEMO_SITE, provisionDemoTenant } from '../step/demo-tenant.ts';
import { startFailure } from '../step/start-failure.ts';
import { refuseFlagsOfNpm } from './shell/npm-flag.ts';

interface DemoFlags {
  readonly demo: boolean;
  readonly once?: boolean;
  readonly portOffset: string;
  readonly callback?: string;
  readonly data?: string;
}

const CONFIGURED_WITHIN_MS = 20_000;
/** Chosen: a busy machine needs 30 s for checks and first configuration; a host whose checks fail says why in the log. */
const ONLINE_WITHIN_MS = 90_000;

const APART = `${OFFSETS_APART.slice(0, -1).join(', ')} and ${OFFSETS_APART.at(-1)}`;

/** `carillon demo`, which is `npm start`: the whole platform on loopback, and an alarm through all of it. */
export function demoCommand(root: Command, programs: Programs): void {
  root
    .command('demo')
    .summary('cloud, appliance and a demo application on this machine')
    .description('Runs the platform on loopback, sends a simulated alarm through it and prints its way.')
    .option('--once', 'end after the demo; 0 only if the alarm went end to end')
    .option('--no-demo', 'no demo tenant and no traffic')
    .option(
      '--callback <url>',
      'your own application gets the callbacks: https://…, or http://localhost:PORT on this machine',
    )
    .option('--port-offset <n>', `move every port by n; ${APART} share none`, '0')
    .option(
      '--data <folder>',
      'where state is kept (default ./.carillon; with --once a new temporary folder)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  npm start -- --once --port-offset 1000\n  carillon demo --no-demo\n  carillon demo --callback http://localhost:3000',
    )
    // A word that npm has made of a flag is refused below, by a sentence that says so.
    .allowExcessArguments()
    .action(async (flags: DemoFlags, command: Command) => {
      refuseFlagsOfNpm(['callback', 'once', 'port-offset', 'data'], process.env);
      const [word] = command.args;
      if (word !== undefined)
        throw new Stop(exitCode.wrongUse, `demo takes no ${word}. See carillon demo --help.`);
      await demo(flags, programs);
    });
}

async function demo(flags: DemoFlags, programs: Programs): Promise<void> {
  const offset = Number(flags.portOffset);
  const ports = demoPorts(offset);
  const once = flags.once === true;
  const target = flags.callback === undefined ? undefined : callbackTarget('--callback', flags.callback);
  await checkDemoPorts(offset, isPortTaken);
  if (target !== undefined && (once || !flags.demo))
    throw new Stop(exitCode.wrongUse, '--callback needs a demo that goes on; leave --once and --no-demo out');
  const given = flags.data ?? process.env.CARILLON_DATA;
  const temporary = once && given === undefined;
  const data = temporary ? mkdtempSync(join(tmpdir(), 'carillon-')) : resolve(given ?? './.carillon');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const running: Running[] = [];
  try {
    if (flags.demo) await withTenant({ programs, ports, data, running, once, target });
    else await bare(programs, ports, data, running);
    if (!once) {
      void settleMemory();
      await asked();
    }
  } finally {
    for (const each of running.reverse()) await each.close();
    if (temporary) rmSync(data, { recursive: true, force: true });
  }
}

/** The platform alone: the appliance waits for `carillon enrol`. */
async function bare(programs: Programs, ports: DemoPorts, data: string, running: Running[]): Promise<void> {
  const { demoAuthority } = await import('../io/demo-authority.ts');
  const authority = await demoAuthority(join(data, 'demo'));
  const trust = trustFile(join(data, 'demo'), authority.file);
  const cloud = started(await programs.startCloud(cloudSources(ports, data, trust)));
  running.push(cloud);
  const appliance = started(await programs.startAppliance(applianceSources(ports, data, trust, {})));
  running.push(appliance);
  const token = bootstrapToken(data);
  const withoutSite = { domain: null, siteId: null, hostId: null, arc: null };
  const ca = everyAuthority(join(data, 'demo'), authority.file, data);
  printReady({ ...cloud.ready, ...appliance.ready, ...withoutSite, token, ca });
  printSetupLink(cloud);
}

interface DemoRun {
  readonly programs: Programs;
  readonly ports: DemoPorts;
  readonly data: string;
  readonly running: Running[];
  readonly once: boolean;
  /** The application of a developer that gets the callbacks in place of the demo's. */
  readonly target: CallbackTarget | undefined;
}

async function withTenant({ programs, ports, data, running, once, target }: DemoRun): Promise<void> {
  const folder = join(data, 'demo');
  const { demoAuthority } = await import('../io/demo-authority.ts');
  const authority = await demoAuthority(folder);
  moveDemo(join(data, 'appliance'), ports);
  const memory = rememberedDemo(join(folder, 'demo.json'));
  const certificate = await authority.issue(['127.0.0.1', 'localhost']);
  const publicKeyPem = memory.publicKeyPem;
  const arc = await programs
    .startArc({
      ...{ host: '127.0.0.1', port: ports.arc, certificate, publicKeyPem },
      relay: relayTo(`http://127.0.0.1:${ports.http}`),
      ...(target?.kind === 'forwarded' && { forward: forwarderTo(target) }),
    })
    .catch((cause: unknown) => {
      throw startFailure(String(cause), 'use another --port-offset');
    });
  running.push(arc);
  const trust = trustFile(folder, authority.file);
  const allowed = target === undefined ? [] : await addressesOf(target);
  const cloud = started(await programs.startCloud(cloudSources(ports, data, trust, allowed)));
  running.push(cloud);
  const ca = everyAuthority(folder, authority.file, data);
  const plan = {
    baseUrl: `http://127.0.0.1:${ports.http}`,
    bootstrapToken: bootstrapToken(data),
    arcUrl: target?.kind === 'direct' ? baseOf(target) : `https://127.0.0.1:${ports.arc}`,
    // The name that the SDK knows.
    ...(target !== undefined && { alarmPath: '/platformAlarm' }),
    signingKeyPem: memory.privateKeyPem,
    token: memory.token,
    ownerPassword: memory.ownerPassword,
    telephonePassword: memory.telephonePassword,
    needsClaim: !existsSync(join(data, 'appliance', 'identity.json')),
  };
  const tenant = await provisionDemoTenant(plan);
  await provisionMessageDevices(plan);
  await provisionSimulated(plan);
  memory.remember(tenant.token);
  const claim = tenant.claimCode === undefined ? {} : { CARILLON_CLAIM: tenant.claimCode };
  const sources = applianceSources(ports, data, trust, claim, allowed);
  const appliance = started(await programs.startAppliance(sources));
  running.push(appliance);
  void appliance.removed?.then(() =>
    complain(red('the demo host was removed from its site; start the demo again to enrol it')),
  );
  const api = { baseUrl: plan.baseUrl, token: tenant.token };
  const asleep = await appliance
    .configured(CONFIGURED_WITHIN_MS)
    .then(() => demoHostOnline(api, ONLINE_WITHIN_MS))
    .catch((cause: unknown) => (cause as Error).message);
  if (asleep !== undefined) refused(new Stop(exitCode.unexpected, asleep), once);
  const check = callbackCheck(folder, publicKeyPem, plan.arcUrl);
  const facts = {
    ...cloud.ready,
    ...appliance.ready,
    ...check,
    domain: DEMO_DOMAIN,
    siteId: DEMO_SITE,
    hostId: DEMO_HOST,
    token: tenant.token,
    ca,
    arc: `https://127.0.0.1:${ports.arc}`,
    ...(target !== undefined && { callback: baseOf(target) }),
  };
  // For the programs of `examples`: they are started without a word of configuration.
  const ready = { ...facts, telephonePassword: memory.telephonePassword };
  writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready, undefined, 2), { mode: 0o600 });
  printReady(facts);
  const { telephonePassword } = memory;
  const to = `127.0.0.1:${ports.sip}`;
  const stage: DemoStage = { programs, arc, appliance, to, telephonePassword, api };
  if (target !== undefined) printTarget(target, check, to);
  else if (asleep === undefined) {
    for (const show of [showFirstAlarm, showAnalogueAlarm])
      await show(stage).catch((cause: unknown) => refused(cause, once));
  }
  if (once) {
    say(green('\nBoth alarms went from end to end.'));
    return;
  }
  printHints(ports, ca, memory.telephonePassword, memory.ownerPassword, tenant.token);
  printSetupLink(cloud);
}

/** One file with the authority of the demo and that of the platform: it opens every address that the demo prints. */
function everyAuthority(folder: string, own: string, data: string): string {
  const file = join(folder, 'ca.pem');
  const platform = join(data, 'cloud', 'authority', 'root.pem');
  writeFileSync(file, trustedPem(readFileSync(own, 'utf8'), readFileSync(platform, 'utf8')));
  return file;
}

/** With `--once` the demo is a test and ends; else a person has a platform that runs, and sees the error. */
function refused(cause: unknown, once: boolean): void {
  if (once) throw cause;
  const sentence = cause instanceof Error ? cause.message : String(cause);
  complain(red(`${sentence}; the platform goes on running`));
}

function started<Program>(result: Result<Program>): Program {
  if (!result.ok) throw startFailure(result.error.reason, 'use another --port-offset');
  return result.value;
}

/** The settings that a person has given by the environment and the file that it names. */
const given = (): Sources => settingSources({});

/** Both daemons read settings only; the demo writes its own as a person would, beside those that a person gave. */
function sourcesOf(own: Record<string, string>): Sources {
  const { environment: theirs, file } = given();
  const { environment, setAside } = demoEnvironment(theirs, own);
  for (const name of setAside)
    complain(dim(`${name} is set by the demo itself and not taken from the environment; see --port-offset`));
  return { flags: {}, environment, file };
}

/** Settings of the person that the demo reads itself. */
function personal() {
  const read = readSettings(settingTable, given());
  if (!read.ok) throw startFailure(read.error.reason);
  return read.value.values;
}

/** The token of the platform owner: as it was given, else as the control plane has made it. */
const bootstrapToken = (data: string): string =>
  personal().bootstrapToken ?? readFileSync(join(data, 'cloud', 'bootstrap-token'), 'utf8').trim();

/** A file with the authority of the demo and, where a person trusts others, those beside it. */
function trustFile(folder: string, own: string): string {
  const { trust } = personal();
  if (trust === undefined) return own;
  const file = join(folder, 'trust.pem');
  try {
    writeFileSync(file, trustedPem(readFileSync(own, 'utf8'), readFileSync(trust, 'utf8')));
  } catch (cause) {
    const why = `CARILLON_TRUST ${trust} cannot be read: ${fileReason(cause)}`;
    throw new Stop(exitCode.wrongConfiguration, `${why}; name a readable PEM file`);
  }
  return file;
}

const shared = (allowed: readonly string[] = []) => ({
  CARILLON_ALLOW_PRIVATE: ['127.0.0.0/8', '::1/128', ...allowed, ...(personal().allowPrivate ?? [])].join(
    ',',
  ),
  CARILLON_LOG: given().environment.CARILLON_LOG ?? String(given().file.log ?? 'warn'),
});

const cloudSources = (
  ports: DemoPorts,
  data: string,
  trust: string,
  allowed: readonly string[] = [],
): Sources =>
  sourcesOf({
    CARILLON_DATA: join(data, 'cloud'),
    CARILLON_HTTP: `127.0.0.1:${ports.http}`,
    CARILLON_EDGE: `127.0.0.1:${ports.edge}`,
    CARILLON_MQTT_LISTEN: `127.0.0.1:${ports.mqtt}`,
    CARILLON_TRUST: trust,
    ...shared(allowed),
  });

const applianceSources = (
  ports: DemoPorts,
  data: string,
  trust: string,
  claim: Record<string, string>,
  allowed: readonly string[] = [],
): Sources =>
  sourcesOf({
    CARILLON_DATA: join(data, 'appliance'),
    CARILLON_CLOUD: `http://127.0.0.1:${ports.http}`,
    CARILLON_HOST_ID: DEMO_HOST,
    CARILLON_ADDRESS: '127.0.0.1',
    CARILLON_SITE_BASE_URL: `https://127.0.0.1:${ports.applianceHttp}`,
    CARILLON_SIP_UDP: `127.0.0.1:${ports.sip}`,
    CARILLON_SIP_TCP: `127.0.0.1:${ports.sip}`,
    CARILLON_SIP_TLS: `127.0.0.1:${ports.sips}`,
    CARILLON_DC09: `127.0.0.1:${ports.dc09}`,
    CARILLON_APPLIANCE_HTTP: `127.0.0.1:${ports.applianceHttp}`,
    CARILLON_COMMAND_QUEUE: `127.0.0.1:${ports.commandQueue}`,
    CARILLON_RTP_PORTS: ports.rtp,
    CARILLON_TRUST: trust,
    ...shared(allowed),
    ...claim,
  });

/** A checkout has no built pages until they are asked for; a package brings them. */
const docsAreBuilt = (): boolean =>
  existsSync(join(import.meta.dirname, '..', '..', 'docs', 'site', 'dist', 'packed', 'files.json'));

const printReady = (ready: Readonly<Record<string, unknown>>): void => say(`ready ${JSON.stringify(ready)}`);

function printHints(
  ports: DemoPorts,
  ca: string,
  password: string,
  ownerPassword: string,
  token: string,
): void {
  const http = `http://127.0.0.1:${ports.http}`;
  say();
  say(
    `${bold('The console')}              ${http}/console/ ${dim(`(${DEMO_OWNER}, password ${ownerPassword})`)}`,
  );
  say(
    `${bold('Documentation')}            ${http}/docs ${dim(docsAreBuilt() ? '' : '(not built yet: npm run docs, then start again)')}`,
  );
  say(`${bold('Try the API')}              ${http}/docs/try`);
  say(
    `${bold('The demo application')}     https://127.0.0.1:${ports.arc} ${dim(`(certificate authority: ${ca})`)}`,
  );
  say(
    `${bold('Steps of the last one')}    npx carillon trace ${DEMO_DOMAIN} --last --cloud ${http} --token ${token}`,
  );
  say(
    `${bold('Copies of callbacks')}      npx carillon listen --forward http://localhost:3000 --cloud ${http} --token ${token}`,
  );
  say(`${bold('Answers to callbacks')}     the same with --answer --base-url https://127.0.0.1:${ports.arc}`);
  say(`${bold('Another alarm')}            npx carillon simulate scaip --to 127.0.0.1:${ports.sip}`);
  const sip = `--to 127.0.0.1:${ports.sip} --password ${password}`;
  say(`${bold('An operator who answers')}  npx carillon simulate sip ${sip} --say "How can I help?"`);
  say(`${bold('An analogue alarm')}        npx carillon simulate tone ${sip}`);
  say(`${bold('A security panel')}         npx carillon simulate dc09 --to 127.0.0.1:${ports.dc09}`);
  say(
    `${bold('Alarms by MESSAGE')}        npx carillon simulate nowip --to 127.0.0.1:${ports.sip} ${dim('(or lacs)')}`,
  );
  say(
    `${bold('Call the operator')}        npx carillon simulate sip --device analogue-0001 --call operator ${sip}`,
  );
  say(
    `${bold('Call the menu')}            npx carillon simulate sip --device analogue-0001 --call switchboard --digits 3 --talk 20 ${sip}`,
  );
  say(dim('Ctrl-C ends everything.'));
}

/** Not in the `ready` line, which programs keep: the link makes its reader the owner. */
function printSetupLink({ setupLink }: Running): void {
  if (setupLink !== undefined) say(`${bold('Own the platform (once)')}  ${setupLink}`);
}
