import { lookup } from 'node:dns/promises';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { firstTrust, keepTrust } from '../../../io/file/platform-trust.ts';
import { asAppliance } from '../../../io/host/as-appliance.ts';
import { cloudFact } from '../../../io/host/cloud-probe.ts';
import { interfaceFacts, sshInterface } from '../../../io/host/host-info.ts';
import { output, run } from '../../../io/host/host-program.ts';
import { clearedNetplan } from '../../../io/network/netplan-file.ts';
import { resolverFacts } from '../../../io/network/resolver-info.ts';
import { familyFacts } from '../../../io/network/route-info.ts';
import { canAsk, question } from '../../../io/terminal/question.ts';
import {
  layout,
  NETWORK_WATCH,
  type NetworkOwner,
  type NetworkPlanRequest,
  networkPlan,
} from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { type Acts, conduct, takeBackUnfinished } from '../terminal/conduct.ts';
import {
  type CommonFlags,
  type Person,
  personOf,
  withCommonFlags,
  withPlanFlags,
} from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { type AdoptFlags, adopt } from './network-adopt.ts';
import { requestFrom, type SetFlags, saidNetwork } from './network-flags.ts';
import { armWatch, disarmWatch, reachGateway } from './network-watch.ts';
import { reportCutRequest } from './platform-network-request.ts';

const CONFIRMED = '/run/carillon-network-confirmed';

/** `carillon network show | set | confirm | trust`. */
export function networkCommands(root: Command, programs: Programs): void {
  const network = root.command('network').summary('address, DNS and time servers of this host');
  withCommonFlags(network.command('show'))
    .description('Prints each interface, its addresses and who configures it.')
    .addHelpText('after', '\nExample:\n  carillon network show')
    .action(show);
  withPlanFlags(network.command('set'))
    .description(
      'Changes an interface; everything is taken back unless it is confirmed or the control plane is reached.',
    )
    .argument('<interface>', 'as carillon network show names it')
    .option('--address <address/prefix>', 'for example 192.168.1.10/24')
    .option('--dhcp', 'take what the network gives')
    .option('--gateway <address>', 'of this network, for example 192.168.1.1')
    .option('--dns <addresses>', 'several with commas, or none; without it those in use stay')
    .option('--search <domains>', 'the same, of domains for short names')
    .option('--ntp <names>', 'the same, of time servers')
    .option('--accept-risk <risk>', 'lose-ssh: the login may end')
    .option('--confirm-within <seconds>', 'time until it is taken back', '120')
    .addHelpText(
      'after',
      '\nExample:\n  carillon network set eth0 --address 192.168.1.10/24 --gateway 192.168.1.1 --dns 192.168.1.1',
    )
    .action(set);
  withCommonFlags(network.command('confirm'))
    .description('Keeps a change that waits to be confirmed.')
    .addHelpText('after', '\nExample:\n  carillon network confirm')
    .action((flags: CommonFlags) => confirm(personOf(flags)));
  withCommonFlags(network.command('trust'))
    .description('Lets the control plane of this host set its addresses, by the key it signs with now.')
    .addHelpText('after', '\nExample:\n  carillon network trust')
    .action((flags: CommonFlags) => trust(personOf(flags), programs));
  withCommonFlags(network.command('adopt', { hidden: true }))
    .description(
      'Applies addresses that the control plane requests; they are undone unless the control plane is reached.',
    )
    .requiredOption('--addresses <addresses>', 'several with commas')
    .requiredOption('--prefix <bits>', 'of each of them')
    .option('--confirm-within <seconds>', 'time until it is taken back', '120')
    .action((flags: AdoptFlags) => adopt(flags));
  withCommonFlags(network.command('undo', { hidden: true }))
    .description('Reverts a change that was not confirmed.')
    .action(async (flags: CommonFlags) => {
      const person = personOf(flags);
      const done = await takeBackUnfinished(person);
      rmSync(layout.unconfirmed, { force: true });
      if (done) await reportCutRequest(person);
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
    ['dns', ['sh', '-c', "grep -E '^(nameserver|search|domain)' /etc/resolv.conf"]],
  ] as const) {
    const said = await output(...argv);
    if (said !== undefined) person.record({ [name]: said.split('\n') });
    if (said !== undefined) person.line(said);
  }
}

async function set(name: string, flags: SetFlags): Promise<void> {
  const person = personOf(flags);
  const said = saidNetwork(name, flags, person);
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
  const other = await familyFacts(name, said.address?.includes(':') === true ? 4 : 6);
  const request = requestFrom(said, await resolverFacts(name), other);
  tellNames(request, person);
  const seconds = Number(flags.confirmWithin);
  rmSync(CONFIRMED, { force: true });
  const cleared = owner === 'netplan' ? await clearedNetplan(request) : [];
  await conduct(
    networkPlan(owner as NetworkOwner, request, cleared),
    networkActs(request, seconds, person),
    person,
    flags,
  );
  if (flags.dryRun !== true) person.line(person.text('network.confirmed'));
}

/** The entries of the file besides the address, whatever their source. */
function tellNames({ dns, search, ntp }: NetworkPlanRequest, person: Person): void {
  const lists = Object.entries({ dns, search, ntp }).filter(([, list]) => list.length > 0);
  for (const [what, list] of lists) person.line(`${what}: ${list.join(', ')}`);
  if (lists.length > 0) person.record({ dns, search, ntp });
}

const networkActs = ({ gateway }: NetworkPlanRequest, seconds: number, person: Person): Acts => ({
  watch: () => armWatch(seconds),
  test: () => reachGateway(gateway, person),
  confirm: () => confirmed(seconds, person),
});

/** By the control plane that is reached, by a person here, or by one who logs in again. */
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
  await disarmWatch();
}

async function confirm(person: Person): Promise<void> {
  const armed = (await run(['systemctl', 'is-active', '--quiet', `${NETWORK_WATCH}.timer`])).code === 0;
  if (!armed) throw new Stop(exitCode.wrongUse, person.text('network.nothing'));
  writeFileSync(CONFIRMED, '', { mode: 0o600 });
  person.line(person.text('network.confirmed'));
}

/** A person answers for it that the appliance of this machine is what it says: root takes over whom it follows. */
async function trust(person: Person, programs: Programs): Promise<void> {
  if (process.getuid?.() !== 0) throw new Stop(exitCode.notPermitted, person.text('network.trust-root'));
  const folder = judged(configured()).data ?? layout.state;
  const host = await asAppliance(() => programs.hostOfSite(folder));
  if (host === undefined) throw new Stop(exitCode.missing, person.text('network.not-enrolled'));
  const signers = await asAppliance(() => programs.signersOf(host, folder));
  keepTrust(firstTrust(host, signers));
  const { domain, siteId, hostId } = host;
  const keys = signers.map(({ kid }) => kid).join(', ');
  person.record({ trusted: domain, siteId, hostId, keys });
  person.line(person.text('network.trusted', { domain, keys }));
}
