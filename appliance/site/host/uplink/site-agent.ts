import type { Twin } from '#shared/contract/feed/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { TenantModel } from '../../../replica/index.ts';
import { type HostIdentity, nextAttemptMs } from '../../index.ts';
import { type ConfigurationReport, SiteConfiguration } from '../configuration/site-configuration.ts';
import { fraction, type SitePorts, Timer } from '../site-port.ts';
import type { EchoOutcome } from './site-echo.ts';
import { SiteUplink } from './site-uplink.ts';

/** Tenant of a machine that belongs to none yet (RFC 6761 6.4: never resolves). */
const NO_TENANT = 'unenrolled.invalid';
/** Second channel: the twin over HTTPS while MQTT is down. */
const TWIN_PULL_MS = 300_000;
/** Until there is a configuration at all. */
const FIRST_PULL_MS = 5_000;

/**
 * This machine as a host of its site: enrolment, configuration and management connection. Alarms need none of it once
 * a configuration is on the disk.
 *
 *     unenrolled ──claim──▶ enrolled: rows from the disk, then twin over HTTPS and MQTT ──▶ configured
 */
export class SiteAgent {
  /** This machine became a host, now or before the start. */
  readonly identified = new Listeners<[identity: HostIdentity]>();
  /** Names of the entities whose rows changed in `tenant`. */
  readonly configurationChanged = new Listeners<[entities: ReadonlySet<string>]>();
  /** The wanted state of this host, whenever it comes. */
  readonly twinTaken = new Listeners<[twin: Twin]>();
  /** The reports to the cloud about a revision. */
  readonly reported = new Listeners<[news: ConfigurationReport]>();

  readonly #ports: SitePorts;
  readonly #enrolTimer: Timer;
  readonly #twinTimer: Timer;
  readonly #configured = Promise.withResolvers<void>();
  #identity: HostIdentity | undefined;
  #tenant: TenantModel;
  #configuration: SiteConfiguration | undefined;
  #uplink: SiteUplink | undefined;
  #stopped = false;

  constructor(ports: SitePorts) {
    this.#ports = ports;
    this.#enrolTimer = new Timer(ports);
    this.#twinTimer = new Timer(ports);
    this.#identity = ports.identity;
    this.#tenant = new TenantModel(ports.identity?.domain ?? NO_TENANT);
  }

  get identity(): HostIdentity | undefined {
    return this.#identity;
  }

  /** The configuration in force. Another object after enrolment, so ask each time. */
  get tenant(): TenantModel {
    return this.#tenant;
  }

  get connected(): boolean {
    return this.#uplink?.connected ?? false;
  }

  /** The line to a control plane with an alarm queue is up. */
  get hasAlarmQueue(): boolean {
    return this.#uplink?.hasAlarmQueue ?? false;
  }

  /** Id of the management session that is open. */
  get session(): string | undefined {
    return this.#uplink?.session;
  }

  /** Ends the management session and opens another one. */
  renewSession(reason: string): void {
    this.#uplink?.renew(reason);
  }

  /** Does the broker bring back what this host says? */
  async echo(): Promise<EchoOutcome> {
    return (await this.#uplink?.echo()) ?? { kind: 'notEnrolled' };
  }

  /** Revisions that the twin names and that are not in force. */
  get behind(): number {
    return this.#configuration?.behind ?? 0;
  }

  /** Revision of the tenant's configuration in force; 0: there is none yet. */
  get tenantRevision(): number {
    return this.#configuration?.facts.rev.tenant ?? 0;
  }

  get configured(): boolean {
    return this.#configuration?.configured ?? false;
  }

  /** Resolves when the first configuration is in force, from the disk or from the cloud. */
  whenConfigured(): Promise<void> {
    return this.#configured.promise;
  }

  start(): void {
    if (this.#identity !== undefined) this.#enrolled(this.#identity);
    else if (this.#ports.enrol !== undefined) this.#ports.run(this.#claim(this.#ports.enrol));
    else
      this.#ports.log('info', 'enrolment.skipped', 'Skipped the enrolment: this machine has no claim code');
  }

  /** This machine was enrolled by other means than its own attempts: by a person at its page. */
  adopt(identity: HostIdentity): void {
    if (this.#identity !== undefined || this.#stopped) return;
    this.#enrolTimer.stop();
    this.#enrolled(identity);
  }

  /** Looks for a newer configuration now, whatever the timers say; `resync` also fetches every row again. */
  async reconfigure(resync = false): Promise<void> {
    if (resync) this.#configuration?.resync();
    await this.#configuration?.pullTwin();
    this.#configuration?.hurry(0);
  }

  /** Says goodbye to the cloud; rows and events stay on the disk. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#enrolTimer.stop();
    this.#twinTimer.stop();
    this.#configuration?.stop();
    await this.#uplink?.stop();
  }

  async #claim(enrol: NonNullable<SitePorts['enrol']>): Promise<void> {
    const outcome = await enrol();
    if (this.#stopped || this.#identity !== undefined) return;
    if (outcome.kind === 'enrolled') {
      this.#ports.log('info', 'enrolment.completed', 'Enrolled this machine', {
        uid: outcome.identity.uid,
        domain: outcome.identity.domain,
      });
      this.#enrolled(outcome.identity);
      return;
    }
    if (outcome.kind === 'refused') {
      this.#ports.log('error', 'enrolment.refused', 'The cloud refused the enrolment', {
        reason: outcome.reason,
      });
      return;
    }
    const why = outcome.kind === 'waiting' ? `${outcome.hostId} waits to be commissioned` : outcome.reason;
    this.#ports.log('warn', 'enrolment.postponed', 'Could not enrol yet and scheduled another attempt', {
      reason: why,
    });
    const delayMs = nextAttemptMs(outcome, fraction(this.#ports));
    if (delayMs !== undefined) {
      this.#enrolTimer.start(delayMs, () => this.#ports.run(this.#claim(enrol)));
    }
  }

  #enrolled(identity: HostIdentity): void {
    if (this.#tenant.domain !== identity.domain) this.#tenant = new TenantModel(identity.domain);
    this.#identity = identity;
    const configuration = new SiteConfiguration(this.#ports, identity, this.#tenant);
    const uplink = new SiteUplink(this.#ports, identity, configuration);
    this.#configuration = configuration;
    this.#uplink = uplink;
    configuration.changed.add((entities) => this.configurationChanged.emit(entities));
    configuration.twinTaken.add((twin) => {
      uplink.twinChanged(twin);
      this.twinTaken.emit(twin);
    });
    configuration.reported.add((report) => {
      uplink.report(report);
      this.reported.emit(report);
    });
    configuration.begun.add(() => this.#configured.resolve());
    this.identified.emit(identity);
    this.#ports.run(this.#begin(configuration, uplink));
  }

  /** The disk first: what comes over the network is compared with what is there. */
  async #begin(configuration: SiteConfiguration, uplink: SiteUplink): Promise<void> {
    await configuration.start();
    if (this.#stopped) return;
    uplink.start();
    await this.#pullTwin(configuration);
  }

  async #pullTwin(configuration: SiteConfiguration): Promise<void> {
    // A broker that is there sends each twin. Thousands of hosts that ask beside it would take the time of those that fetch rows.
    if (!this.connected || configuration.facts.twinRev === 0) await configuration.pullTwin();
    if (this.#stopped) return;
    const stepMs = configuration.configured ? TWIN_PULL_MS : FIRST_PULL_MS;
    const delayMs = Math.round(stepMs * (0.8 + 0.4 * fraction(this.#ports)));
    this.#twinTimer.start(delayMs, () => this.#ports.run(this.#pullTwin(configuration)));
  }
}
