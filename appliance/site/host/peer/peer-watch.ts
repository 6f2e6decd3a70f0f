import type { SiteRole } from '#shared/contract/feed/index.ts';
import type { Hello } from '#shared/contract/peer/index.ts';
import type { Admittance } from '../../index.ts';
import {
  alone,
  type CatchUp,
  holderOfAddress,
  initialCatchUp,
  initialRoleHistory,
  leaderOf,
  mayHaveAddress,
  type PeerLink,
  type PeerView,
  type RoleHistory,
  registersAtCarriers,
  rolesOf,
  type SiteMembers,
  type SiteView,
  servingHosts,
  stepCatchUp,
  stepRoles,
  type VipLook,
  viewOfPeers,
} from '../../peer/index.ts';
import type { HostStanding } from '../../supervision/index.ts';
import { type SitePorts, Timer } from '../site-port.ts';
import type { PeerPorts } from './peer-port.ts';

/** A host looks at the others, and says that it serves, this often. */
const LOOK_MS = 1_000;
/** A returning host asks the others before it sends, at most so long. */
const COMPARE_MS = 10_000;

/** The link to the other hosts as the watch needs it. */
export interface WatchedLink extends PeerLink {
  readonly view: SiteView;
  readonly epoch: number;
  readonly leads: boolean;
  readonly membersChanged: () => void;
  /** Resolves when every other host has answered or is taken for dead. */
  readonly compared: () => Promise<void>;
}

export interface PeerWatchPorts extends Pick<SitePorts, 'clock' | 'log' | 'run' | 'startTimer'> {
  readonly members: Pick<SiteMembers, 'look' | 'all' | 'hasOthers' | 'labels' | 'revisions' | 'hostIdOf'>;
  readonly vip: Pick<VipLook, 'mine' | 'look' | 'leave'>;
  /** Undefined until this machine is a host. */
  readonly link: () => WatchedLink | undefined;
  /** The name by which the site knows this host. */
  readonly ownHostId: () => string;
  /** The journal can be written. */
  readonly storable: () => boolean;
  readonly admittance: () => Admittance;
  readonly isConfigured: () => boolean;
  /** The cloud reaches this host. */
  readonly isConnected: () => boolean;
  /** Why this host cannot serve; empty: it can. */
  readonly faults: () => readonly string[];
  readonly supervised: () => HostStanding;
  readonly registerTrunks: (registers: boolean) => void;
  readonly report: (change: SiteRole) => void;
  /** Opens the listener of the link, if it is not open. */
  readonly listen: () => void;
  /** Asks for the configuration by way of the others. */
  readonly reconfigure: () => Promise<unknown>;
}

/**
 * This host among the others of its site, looked at each second: the members, its place in what it says to them, the address of
 * the site, the registration at the carriers, its roles. A host that is alone looks when its configuration has changed.
 */
export class PeerWatch {
  readonly #ports: PeerWatchPorts;
  readonly #timer: Timer;
  #listens = false;
  #stopped = false;
  #catchUp: CatchUp = initialCatchUp;
  #roles: RoleHistory = initialRoleHistory;

  constructor(ports: PeerWatchPorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
  }

  /** The report of this host about itself, for the others. */
  get standing(): ReturnType<PeerPorts['standing']> {
    const { admittance, storable, vip, isConfigured, members, supervised } = this.#ports;
    const ready = storable();
    const { mine } = vip;
    return {
      ready,
      serving: this.#listens && ready && isConfigured() && admittance() === 'open',
      ...(mine !== undefined && { vip: mine }),
      cfg: members.revisions,
      labels: [...members.labels],
      ...supervised(),
    };
  }

  get roles(): readonly string[] {
    const { vip, members, link } = this.#ports;
    return rolesOf({
      hasAddress: vip.mine === true,
      hasOthers: members.hasOthers,
      leads: members.hasOthers && link()?.leads === true,
    });
  }

  get view(): PeerView {
    const { members, vip, ownHostId, link } = this.#ports;
    const now = link();
    if (now === undefined || !members.hasOthers) return alone;
    return viewOfPeers(now, { members: members.all, own: vip.mine === true ? ownHostId() : undefined });
  }

  mayHaveAddress(): boolean {
    const { admittance, faults, link } = this.#ports;
    return mayHaveAddress({
      listens: this.#listens,
      admittance: admittance(),
      faults: faults(),
      hasSubstitute: link()?.substitute !== undefined,
    });
  }

  /** Another host has greeted: it may have a newer configuration. */
  onHello({ cfg: theirs }: Hello): void {
    const { members, isConnected, clock, run, reconfigure } = this.#ports;
    const input = { own: members.revisions, theirs, isConnected: isConnected(), atMs: clock.monoMs() };
    const { state, asks } = stepCatchUp(this.#catchUp, input);
    this.#catchUp = state;
    if (asks) run(reconfigure());
  }

  /** Everything listens: from now on this host serves. */
  listening(): void {
    this.#listens = true;
    this.look();
  }

  /** Reads the members again, where the configuration names others. */
  lookAtMembers(): void {
    if (this.#ports.members.look()) this.#ports.link()?.membersChanged();
  }

  look(): void {
    try {
      this.#look();
    } catch (cause) {
      this.#ports.log('error', 'peer_link.check_failed', 'Could not check the other hosts of the site', {
        cause: String(cause),
      });
    }
    this.#timer.stop();
    if (this.#ports.members.hasOthers && !this.#stopped) this.#timer.start(LOOK_MS, () => this.look());
  }

  /** The others were asked what they did in our place, or do not answer in time. */
  async compared(): Promise<void> {
    this.lookAtMembers();
    const link = this.#ports.link();
    if (link === undefined || !this.#ports.members.hasOthers) return;
    const late = Promise.withResolvers<void>();
    const stop = this.#ports.startTimer(COMPARE_MS, late.resolve);
    await Promise.race([link.compared(), late.promise]);
    stop();
  }

  /** This host takes no alarms any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer.stop();
    await this.#ports.vip.leave();
  }

  #look(): void {
    const { members, link, registerTrunks, run, vip, listen } = this.#ports;
    this.lookAtMembers();
    registerTrunks(registersAtCarriers(members.hasOthers, members.hasOthers ? link()?.leads : undefined));
    // A host that is alone has no address to share.
    if (!members.hasOthers) return;
    run(vip.look(this.mayHaveAddress()));
    listen();
    this.#tellRoles();
  }

  /** Reports which host has which role, and why that changed, for a person who looks at the site later. */
  #tellRoles(): void {
    const { members, vip, clock, faults, ownHostId, report } = this.#ports;
    const link = this.#ports.link();
    if (link === undefined || !this.#listens) return;
    const { view } = link;
    const vipAt = vip.mine === true ? view.self : holderOfAddress(view, members.all)?.uid;
    const vipHost = members.hostIdOf(vipAt);
    const leader = members.hostIdOf(leaderOf(view, this.standing));
    const look = {
      roles: this.roles,
      epoch: link.epoch,
      words: link.words,
      holders: { ...(vipHost && { vip: vipHost }), ...(leader && { leader }) },
      hostId: members.hostIdOf(view.self) ?? ownHostId(),
      serving: servingHosts(view, members.all),
      serves: this.mayHaveAddress(),
      faults: faults(),
    };
    const { story, change } = stepRoles(this.#roles, look, clock.monoMs());
    this.#roles = story;
    if (change !== undefined) report(change);
  }
}
