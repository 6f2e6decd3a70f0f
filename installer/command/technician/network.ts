import { lookup } from 'node:dns/promises';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../exit-code.ts';
import { cloudFact } from '../../io/cloud-fact.ts';
import { interfaceFacts, sshInterface } from '../../io/host-facts.ts';
import { output, run } from '../../io/host-program.ts';
import { canAsk, question } from '../../io/question.ts';
import { NETWORK_WATCH, type NetworkOwner, type NetworkWish, networkPlan } from '../../plan/index.ts';
import { type Acts, conduct, takeBackUnfinished } from './conduct.ts';
import {
  type CommonFlags,
  type Person,
  type PlanFlags,
  personOf,
  withCommonFlags,
  withPlanFlags,
} from './person.ts';
import { configured, judged } from './settings.ts';

interface SetFlags extends PlanFlags {
  readonly address?: string;
  readonly dhcp?: boolean;
  readonly gateway?: string;
  readonly dns?: string;
  readonly ntp?: string;
  readonly acceptRisk?: string;
  readonly confirmWithin: string;
}

const CONFIRMED = '/run/carillon-network-confirmed';
/** After our own time is over: for the case that we are gone. */
const GRACE_S = 15;

/** `carillon network show | set | confirm`. */
export function networkCommands(root: Command): void {
  const network = root.command('network').summary('address, DNS and time servers of this host');
  withCommonFlags(network.command('show'))
    .description('Prints each interface, its addresses and who configures it.')
    .action(show);
  withPlanFlags(network.command('set'))
    .description(
      'Changes an interface; everything is taken back unless it is confirmed or the control plane is reached.',
    )
    .argument('<interface>', 'as carillon network show names it')
    .option('--address <address/prefix>', 'for example 192.168.1.10/24')
    .option('--dhcp', 'take what the network gives')
    .option('--gateway <address>')
    .option('--dns <addresses>', 'several with commas')
    .option('--ntp <names>', 'several with commas')
    .option('--accept-risk <risk>', 'lose-ssh: the login may end')
    .option('--confirm-within <seconds>', 'time until it is taken back', '120')
    .addHelpText(
      'after',
      '\nExample:\n  carillon network set eth0 --address 192.168.1.10/24 --gateway 192.168.1.1 --dns 192.168.1.1',
    )
    .action(set);
  withCommonFlags(network.command('confirm'))
    .description('Keeps a change that waits to be confirmed.')
    .action((flags: CommonFlags) => confirm(personOf(flags)));
  withCommonFlags(network.command('undo', { hidden: true }))
    .description('Takes back a change that nobody confirmed.')
    .action(async (flags: CommonFlags) => {
      const person = personOf(flags);
      const done = await takeBackUnfinished(person);
      person.line(person.text(done ? 'network.undone' : 'network.nothing'));
    });
}

async function show(flags: CommonFlags): Promise<void> {
  const person = personOf(flags);
  for (const { name, addresses, owners } of await interfaceFacts()) {
    person.record({ interface: name, addresses, owners });
    person.line(`${name}  ${addresses.join(', ')}`);
    person.line(`  ${person.text('network.owner', { name, owner: owners.join(', ') || '-' })}`);
  }
  for (const [name, argv] of [
    ['route', ['ip', 'route', 'show', 'default']],
    ['dns', ['sh', '-c', "grep '^nameserver' /etc/resolv.conf"]],
  ] as const) {
    const said = await output(...argv);
    if (said !== undefined) person.record({ [name]: said.split('\n') });
    if (said !== undefined) person.line(said);
  }
}

async function set(name: string, flags: SetFlags): Promise<void> {
  const person = personOf(flags);
  const facts = await interfaceFacts();
  const found = facts.find((each) => each.name === name);
  if (found === undefined) {
    const names = facts.map((each) => each.name).join(', ') || '-';
    throw new Stop(exitCode.missing, person.text('network.no-interface', { name, names }));
  }
  const [owner, ...others] = found.owners;
  if (owner === undefined || owner === 'ifupdown' || others.length > 0) {
    const owners = found.owners.join(', ') || '-';
    throw new Stop(exitCode.missing, person.text('network.no-owner', { name, owners }));
  }
  if (sshInterface() === name && flags.acceptRisk !== 'lose-ssh') {
    throw new Stop(exitCode.wrongUse, person.text('network.lose-ssh', { name }));
  }
  const wish = wishOf(name, flags);
  const seconds = Number(flags.confirmWithin);
  rmSync(CONFIRMED, { force: true });
  await conduct(networkPlan(owner as NetworkOwner, wish), networkActs(wish, seconds, person), person, flags);
  if (flags.dryRun !== true) person.line(person.text('network.confirmed'));
}

function wishOf(name: string, flags: SetFlags): NetworkWish {
  const wrong = (what: string): Stop => new Stop(exitCode.wrongUse, what);
  const list = (text: string | undefined): readonly string[] =>
    (text ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  const { address, gateway, dhcp } = flags;
  if ((address === undefined) === (dhcp !== true)) throw wrong('Give either --address or --dhcp.');
  const [ip = '', prefix = ''] = (address ?? '').split('/');
  if (address !== undefined && (isIP(ip) === 0 || !/^\d{1,3}$/.test(prefix))) {
    throw wrong(`--address ${address} is not ADDRESS/PREFIX; write for example 192.168.1.10/24.`);
  }
  const dns = list(flags.dns);
  for (const each of [...dns, ...(gateway === undefined ? [] : [gateway])]) {
    if (isIP(each) === 0) throw wrong(`${each} is no address; write for example 192.168.1.1.`);
  }
  if (!/^\d{1,4}$/.test(flags.confirmWithin)) throw wrong('--confirm-within is a number of seconds.');
  const ntp = list(flags.ntp);
  for (const each of ntp) if (!/^[\w.:-]+$/.test(each)) throw wrong(`${each} is no name of a time server.`);
  return {
    name,
    dns,
    ntp,
    ...(address !== undefined && { address }),
    ...(gateway !== undefined && { gateway }),
  };
}

const networkActs = (wish: NetworkWish, seconds: number, person: Person): Acts => ({
  // Independent of this process, which may end with the login.
  watch: async () => {
    await run(['systemctl', 'stop', `${NETWORK_WATCH}.timer`]);
    const argv = [process.execPath, 'network', 'undo'];
    const timer = [
      'systemd-run',
      '--collect',
      `--unit=${NETWORK_WATCH}`,
      `--on-active=${seconds + GRACE_S}s`,
    ];
    const armed = await run([...timer, ...argv]);
    if (armed.code !== 0)
      throw new Stop(exitCode.missing, `the way back cannot be armed: ${armed.err.trim()}`);
  },
  test: async () => {
    const { gateway } = wish;
    if (gateway === undefined) return;
    // Of an address nobody has, the kernel finds no neighbour.
    for (let tries = 0; tries < 10; tries++) {
      await run(['ping', '-c', '1', '-W', '1', gateway], { withinMs: 3_000 });
      const neighbour = await output('ip', 'neigh', 'show', gateway);
      if (neighbour?.includes('lladdr') === true) return;
      await pause(500);
    }
    throw new Stop(exitCode.tryAgain, person.text('network.untested', { what: gateway }));
  },
  confirm: () => confirmed(seconds, person),
});

/** By the control plane that is reached, by a person here, or by one who logs in anew. */
async function confirmed(seconds: number, person: Person): Promise<void> {
  const { cloud, trust } = judged(configured());
  const deadline = Date.now() + seconds * 1_000;
  const reached = async (): Promise<boolean> => {
    if (cloud === undefined) return false;
    await lookup(new URL(cloud).hostname).catch(() => undefined);
    return (await cloudFact(cloud, trust)).fact.kind === 'reached';
  };
  let yes = await reached();
  if (!yes && canAsk()) {
    const answer = question(
      person.text('network.confirm', { seconds }),
      `${person.text('yes')}/${person.text('no')}`,
    );
    const said = await Promise.race([answer, pause(seconds * 1_000, undefined)]);
    yes = said !== undefined && !said.includes('/') && said.toLowerCase().startsWith(person.text('yes'));
  } else if (!yes) {
    person.line(person.text('network.armed', { seconds }));
    while (!yes && Date.now() < deadline) {
      await pause(500);
      yes = existsSync(CONFIRMED);
    }
  }
  if (!yes) throw new Stop(exitCode.rolledBack, person.text('network.undone'));
  rmSync(CONFIRMED, { force: true });
  await run(['systemctl', 'stop', `${NETWORK_WATCH}.timer`]);
}

async function confirm(person: Person): Promise<void> {
  const armed = (await run(['systemctl', 'is-active', '--quiet', `${NETWORK_WATCH}.timer`])).code === 0;
  if (!armed) throw new Stop(exitCode.wrongUse, person.text('network.nothing'));
  writeFileSync(CONFIRMED, '', { mode: 0o600 });
  person.line(person.text('network.confirmed'));
}
