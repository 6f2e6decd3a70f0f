import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type Site, until } from '#test/support/site.ts';
import { judge } from '#test/support/site-history.ts';
import { LAN_PORTS, openSitePair, type PairHost, type SitePair } from '#test/support/site-pair.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run } from './campaign.ts';
import { type DeviceRun, startDevices } from './device-run.ts';
import { type Floating, startFloating } from './floating.ts';
import { deliveriesOf, takenOver, undelivered, union, whereabouts } from './pair-history.ts';
import { type SiteLan, siteLan } from './site-lan.ts';
import { solitary } from './solitary.ts';

const RATE = 50;
/** Longer than all that is done to the site on a busy machine; the devices are ended when it is over. s */
const SHORT_S = 900;
const STEADY_MS = 1_000;
const PARTED_MS = 4_000;
/** Longer than the check of the address believes an old word and asks for a new one. */
const HANG_MS = 7_000;
const WITHIN_MS = 120_000;
const HANGING = 'without an address while both hang, %';
const PRIORITIES = { one: 150, two: 100 } as const;

/** A host with its keepalived. */
interface Stand extends PairHost {
  readonly floating: Floating;
}

interface Place {
  readonly pair: SitePair;
  readonly lan: SiteLan;
  readonly stands: readonly [Stand, Stand];
  readonly devices: DeviceRun;
}

/**
 * Two hosts in networks of their own, one address held by keepalived, and everything that a site must outlive, one after
 * the other under the same load. At the end one host is lost for good: the other one must deliver the alarms that it had acknowledged.
 */
export const pair: Campaign = {
  summary:
    'two hosts and keepalived under 50 alarms/s: kill, partition, no WAN with a reboot, one host gone for good',
  changes: 'network',
  run: async (setting) => {
    const whole = await site('two hosts', setting, [], everything);
    const mutant = await site('without copies', setting, solitary, lostWithoutWan);
    return [whole, mustBreak(mutant, 'lost')];
  },
};

/** For whoever looks for what went wrong: the hosts' folders go with the campaign. */
function lastWords({ hosts, logFile }: SitePair, say: CampaignSetting['say']): void {
  for (const { hostId } of hosts) {
    const lines = readFileSync(logFile(hostId), 'utf8').trimEnd().split('\n');
    const ofSite = lines.filter((line) => !line.includes('"event":"platform_alarm.issued"'));
    for (const line of ofSite.slice(-16)) say(`${hostId}: ${line.slice(0, 300)}`);
  }
}

type Story = (place: Place, setting: CampaignSetting) => Promise<Readonly<Record<string, number>>>;

const everything: Story = async (place, setting) => {
  const kill = await killed(place, setting);
  const late = await bothHang(place, setting);
  const split = await parted(place, setting);
  return { ...kill, ...late, ...split, ...(await noWan(place, setting)) };
};

async function site(
  name: string,
  setting: CampaignSetting,
  applianceNode: readonly string[],
  story: Story,
): Promise<Run> {
  const { minutes, say } = setting;
  const network = Promise.withResolvers<SiteLan>();
  const made = await openSitePair({
    applianceNode,
    lan: async (folder, ports) => {
      const lan = await siteLan(folder, ports);
      network.resolve(lan);
      return lan;
    },
  });
  const open: (() => Promise<unknown>)[] = [made.close];
  try {
    const lan = await network.promise;
    const standOf = (host: PairHost): Stand => {
      const hostId = host.hostId as 'one' | 'two';
      const floating = startFloating({
        host: lan.hosts[hostId],
        priority: PRIORITIES[hostId],
        vip: lan.vip,
        runFolder: host.folder,
        webPort: LAN_PORTS.web,
        logFile: join(host.folder, 'keepalived.log'),
      });
      open.push(floating.close);
      return { ...host, floating };
    };
    const stands = [standOf(made.hosts[0]), standOf(made.hosts[1])] as const;
    await active(stands);
    const seconds = Math.max(SHORT_S, (minutes ?? 0) * 60);
    const target = { sip: `${lan.vip}:${LAN_PORTS.sip}`, domain: made.domain } as Site;
    const devices = startDevices(target, { count: RATE * seconds, rate: RATE });
    open.push(devices.kill);
    const place = { pair: made, lan, stands, devices };
    await acknowledgedMore(devices, RATE);
    say(`${name}: ${RATE} alarms/s to ${lan.vip}, which ${(await active(stands)).hostId} has`);
    const figures = await story(place, setting);
    await devices.kill();
    const run = await judged(name, place, figures, say);
    if (run.violations.length > 0 && applianceNode.length === 0) lastWords(made, say);
    return run;
  } catch (cause) {
    lastWords(made, say);
    throw cause;
  } finally {
    for (const end of open.reverse()) await end();
  }
}

/** kill -9 of whoever has the address, under load; the other one hangs as it is killed. */
async function killed({ pair: { logFile }, stands, devices }: Place, { say }: CampaignSetting) {
  await pause(STEADY_MS);
  const dead = await active(stands);
  const other = otherThan(stands, dead);
  const beganMs = performance.now();
  await dead.process.kill();
  await until(() => other.floating.holds(), WITHIN_MS);
  const movedMs = performance.now() - beganMs;
  await acknowledgedMore(devices, 2);
  const failoverMs = performance.now() - beganMs;
  say(
    `${dead.hostId} killed: ${other.hostId} has the address after ${ms(movedMs)}, alarms after ${ms(failoverMs)}`,
  );
  await pause(STEADY_MS);
  await dead.process.start();
  await until(() => linksIn(logFile(other.hostId)) > 1, WITHIN_MS);
  await pause(STEADY_MS);
  return { 'failover, ms': Math.round(failoverMs), 'address moved, ms': Math.round(movedMs) };
}

/** Both hosts hang at once, as under a load that is too much for them: the address must stay with one of them. */
async function bothHang({ stands, devices }: Place, { say }: CampaignSetting) {
  await active(stands);
  for (const { process } of stands) process.freeze();
  const endMs = performance.now() + HANG_MS;
  let [looks, without] = [0, 0];
  for (; performance.now() < endMs; looks++) {
    if (!stands.some(({ floating }) => floating.holds())) without++;
    await pause(200);
  }
  for (const { process } of stands) process.thaw();
  await acknowledgedMore(devices, RATE);
  const share = Math.round((100 * without) / looks);
  say(`both hang for ${ms(HANG_MS)}: nobody had the address for ${share} % of it; alarms go on`);
  return { [HANGING]: share };
}

/** The hosts do not hear each other; both take the address, and both go on. */
async function parted({ lan, stands }: Place, { say }: CampaignSetting) {
  lan.part();
  const twice = await until(() => stands.every(({ floating }) => floating.holds()), WITHIN_MS);
  say(`parted: ${twice ? 'both have' : 'one has'} the address`);
  await pause(PARTED_MS);
  lan.join();
  const again = await active(stands);
  say(`joined again: ${again.hostId} has the address`);
  await pause(STEADY_MS);
  return { 'hosts with the address while parted': twice ? 2 : 1 };
}

/** No WAN; the active host is started again meanwhile, serves from its disk, and then dies and never comes back. */
async function noWan(place: Place, setting: CampaignSetting) {
  const { lan, stands, devices } = place;
  const first = await active(stands);
  lan.cutWan();
  await pause(STEADY_MS);
  await first.process.kill();
  await first.process.start();
  const now = await active(stands);
  await acknowledgedMore(devices, RATE);
  setting.say(`no WAN: ${first.hostId} was started again, ${now.hostId} has the address and takes alarms`);
  lan.restoreWan();
  return await lostWithoutWan(place, setting);
}

/** Alarms that the site takes without WAN wait on two disks; one of them goes and does not come back. */
async function lostWithoutWan({ lan, stands, devices }: Place, { say }: CampaignSetting) {
  lan.cutWan();
  await pause(STEADY_MS);
  const before = devices.acknowledged.length;
  // The application is asked first, and devices wait for it so long.
  await acknowledgedMore(devices, 2 * RATE);
  const taken = devices.acknowledged.length - before;
  const last = await active(stands);
  await last.process.kill();
  await until(() => otherThan(stands, last).floating.holds(), WITHIN_MS);
  await acknowledgedMore(devices, 2);
  lan.restoreWan();
  say(`${last.hostId} is gone for good, the WAN is back; ${taken} alarms had been taken without it`);
  return { 'taken without WAN': taken };
}

async function judged(
  name: string,
  place: Place,
  more: Readonly<Record<string, number>>,
  say: CampaignSetting['say'],
): Promise<Run> {
  const { pair: made, devices, stands } = place;
  const alive = stands.filter(({ process }) => process.running);
  const arrived = (): boolean => {
    const known = new Set(deliveriesOf(made).map(({ reference }) => reference));
    return devices.acknowledged.every((reference) => known.has(reference));
  };
  await until(arrived, WITHIN_MS / 2);
  await until(() => union({ ...made, hosts: alive as never }).waiting.length === 0, WITHIN_MS);
  const journal = { ...union(made), waiting: union({ ...made, hosts: alive as never }).waiting };
  const taken = takenOver(made);
  await Promise.all(alive.map(({ process }) => process.stop()));
  const verdict = judge(
    {
      devices: { sent: undefined, acknowledged: devices.acknowledged },
      journal,
      application: deliveriesOf(made),
    },
    'same id',
  );
  const known = new Set(deliveriesOf(made).map(({ reference }) => reference));
  const lost = devices.acknowledged.filter((reference) => !known.has(reference));
  if (lost.length > 0)
    for (const line of whereabouts(made, lost)) say(`${name}: of ${lost.length} lost, ${line}`);
  if (journal.waiting.length > 0)
    for (const row of undelivered({ ...made, hosts: alive as never })) say(`${name}: still waits at ${row}`);
  return {
    name,
    figures: { ...verdict.figures, 'rows taken over': taken, ...more },
    violations: [
      ...verdict.violations,
      ...((more[HANGING] ?? 0) > 0 ? ['nobody had the address of the site while both hosts hung'] : []),
    ],
  };
}

/** The host that has the address, once it is one alone and its keepalived has reported it. */
async function active(stands: Place['stands']): Promise<Stand> {
  let found: Stand | undefined;
  const one = (): boolean => {
    const holders = stands.filter(({ floating }) => floating.holds());
    found = holders.length === 1 && holders[0]?.floating.state() === 'MASTER' ? holders[0] : undefined;
    return found !== undefined;
  };
  await until(one, WITHIN_MS);
  if (found === undefined) throw new Error('no one host has the address of the site');
  return found;
}

const otherThan = ([one, two]: Place['stands'], not: Stand): Stand => (not === one ? two : one);

async function acknowledgedMore(devices: DeviceRun, more: number): Promise<void> {
  const before = devices.acknowledged.length;
  if (!(await until(() => devices.acknowledged.length >= before + more, WITHIN_MS)))
    throw new Error(`no alarm was acknowledged for ${WITHIN_MS / 1_000} s`);
}

const linksIn = (file: string): number =>
  readFileSync(file, 'utf8').split('another host of the site is there').length - 1;

const ms = (value: number): string => `${(value / 1_000).toFixed(1)} s`;
