import { ALARM_QUEUE_CAPABILITY } from '#shared/contract/alarm-queue/index.ts';
import {
  cpStateTopic,
  downFilter,
  eventAckSchema,
  HEARTBEAT_S,
  type Leaf,
  ownerStateSchema,
  PAYLOAD_LIMIT_BYTES,
  stateSchema,
  type Twin,
  topicOf,
} from '#shared/contract/feed/index.ts';
import { RECORD_CAPABILITY } from '#shared/contract/session-record/index.ts';
import { ulid } from '#shared/id.ts';
import {
  type BrokerConnection,
  birthOf,
  brokerOrder,
  type HostIdentity,
  heartbeatOf,
  initialPresence,
  initialUplink,
  type PresenceInput,
  partsOf,
  placeOf,
  stepPresence,
  stepUplink,
  type UplinkInput,
  untilHeartbeatMs,
} from '../../index.ts';
import type { ConfigurationReport, SiteConfiguration } from '../configuration/site-configuration.ts';
import { fraction, type SitePorts, Timer } from '../site-port.ts';
import { type EchoOutcome, SiteEcho } from './site-echo.ts';
import { SiteLanes } from './site-lane.ts';
import { SiteRecords } from './site-records.ts';
import { SiteRequests } from './site-request.ts';

const DAY_MS = 86_400_000;
/** Longest wait for the last word to reach the broker. */
const LAST_MESSAGE_MS = 2_000;
/** Hosts that were away together fetch what failed meanwhile over this time. Each connects at its own moment already. */
const FETCH_SPREAD_MS = 500;

/** One life of the connection; what a former one still tells is not heard. */
interface Line {
  readonly sid: string;
  readonly url: string;
  readonly connection: BrokerConnection;
}

/** The management connection: presence, heartbeats, events, reports and requests over MQTT. */
export class SiteUplink {
  readonly #ports: SitePorts;
  readonly #identity: HostIdentity;
  readonly #configuration: SiteConfiguration;
  readonly #lanes: SiteLanes;
  /** Absent: this host keeps no records. */
  readonly #records: SiteRecords | undefined;
  readonly #requests: SiteRequests;
  readonly #echo: SiteEcho;
  readonly #retryTimer: Timer;
  readonly #birthTimer: Timer;
  readonly #heartbeatTimer: Timer;
  /** Reports that could not be sent; the newest of each scope and result. */
  readonly #unsent = new Map<string, ConfigurationReport>();
  #state = initialUplink();
  #presence = initialPresence;
  #line: Line | undefined;
  /** Brokers in the order of this host. */
  #brokers: readonly string[];
  #heartbeats = 0;
  /** Abilities of the control plane, by its retained state. */
  #abilities: readonly string[] = [];
  /** Reason of the last attempt that failed; undefined: a connection has been open since. */
  #failure: string | undefined;

  constructor(ports: SitePorts, identity: HostIdentity, configuration: SiteConfiguration) {
    this.#ports = ports;
    this.#identity = identity;
    this.#configuration = configuration;
    this.#brokers = brokerOrder(identity, undefined);
    this.#retryTimer = new Timer(ports);
    this.#birthTimer = new Timer(ports);
    this.#heartbeatTimer = new Timer(ports);
    this.#echo = new SiteEcho(ports);
    this.#lanes = new SiteLanes(ports, (lane, batch) => {
      this.#say(`up/ev/${lane}`, { v: 1, sid: this.#line?.sid, ...batch });
    });
    this.#records =
      ports.sessionRecords &&
      new SiteRecords(
        { ...ports, ...ports.sessionRecords },
        (batch) => this.#say('up/rec', { v: 1, sid: this.#line?.sid, ...batch }),
        () => !this.#lanes.isIdle,
      );
    this.#requests = new SiteRequests(
      ports,
      { configuration, rebirth: () => this.#presentAgain() },
      (response) => {
        for (const part of partsOf(response)) this.#say('up/res', part);
      },
    );
  }

  get connected(): boolean {
    return this.#state.at === 'connected';
  }

  /** The control plane that is connected has an alarm queue. */
  get hasAlarmQueue(): boolean {
    return this.connected && this.#abilities.includes(ALARM_QUEUE_CAPABILITY);
  }

  /** Id of the session that is open: subscribed, and its birth said. */
  get session(): string | undefined {
    return this.connected ? this.#presence.sid : undefined;
  }

  /** Makes the session again: a change of the network needs the proof that the cloud is reached by it. */
  renew(reason: string): void {
    const line = this.#line;
    if (line !== undefined && this.connected) this.#failed(line, reason);
  }

  /** Says our birth again and waits until the broker brings it back. */
  echo(): Promise<EchoOutcome> {
    return this.#echo.ask(() => this.#presentAgain());
  }

  start(): void {
    this.#decide({ kind: 'start', atMs: this.#ports.clock.monoMs() });
  }

  /** The twin says how far reconnects are spread, how often the heart beats, and which brokers there are. */
  twinChanged(twin: Twin): void {
    this.#decide({ kind: 'jitter', seconds: twin.jitterS });
    this.#brokers = brokerOrder(this.#identity, twin);
    // One that was taken out of the list may be switched off at any time.
    if (this.#line !== undefined && !this.#brokers.includes(this.#line.url))
      this.renew('the control plane names other brokers');
    if (this.#line !== undefined && this.#presence.birthNo > 0) this.#nextHeartbeat();
  }

  report(change: ConfigurationReport): void {
    const { sid } = this.#presence;
    if (sid === undefined) this.#unsent.set(`${change.scope} ${change.res}`, change);
    else this.#say('up/cfg', { v: 1, sid, ...change }, { lost: () => this.#sayLater(change) });
  }

  /** Nothing else reports a refusal; a report that a later revision has overtaken is not needed. */
  #sayLater(report: ConfigurationReport): void {
    const key = `${report.scope} ${report.res}`;
    if ((this.#unsent.get(key)?.rev ?? 0) < report.rev) this.#unsent.set(key, report);
  }

  /** Says goodbye, so that the cloud does not take the silence for a fault. */
  async stop(): Promise<void> {
    const line = this.#line;
    this.#present({ kind: 'stopping' });
    for (const timer of [this.#retryTimer, this.#birthTimer, this.#heartbeatTimer]) timer.stop();
    if (line !== undefined && this.connected) {
      const off = JSON.stringify({ v: 1, st: 'off', sid: line.sid, why: 'shutdown' });
      const said = line.connection.publish(this.#topic('up/state'), off, { qos: 1, retain: true });
      await this.#within(LAST_MESSAGE_MS, said);
    }
    this.#forget();
    this.#decide({ kind: 'stop' });
    if (line !== undefined) await this.#within(LAST_MESSAGE_MS, line.connection.end());
  }

  // The connection

  #decide(input: UplinkInput): void {
    const { state, effects } = stepUplink(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind === 'connect') this.#connect();
      else if (effect.kind === 'greet') this.#greet();
      else if (effect.kind === 'disconnect') this.#leave();
      else if (effect.kind === 'startTimer') {
        this.#retryTimer.start(effect.delayMs, () =>
          this.#decide({ kind: 'retry', atMs: this.#ports.clock.monoMs() }),
        );
      }
    }
  }

  /** No will is said: the next birth follows at once. */
  #leave(): void {
    const line = this.#line;
    if (line === undefined) return;
    this.#forget();
    this.#ports.run(line.connection.end());
    const { log } = this.#ports;
    log('warn', 'uplink.broker_left', 'Left a broker where no owner of the shard is connected', {
      broker: line.url,
    });
  }

  #connect(): void {
    const { clock, random, openBroker, brokerPassword } = this.#ports;
    const { brokerUrl, uid, plainJwt, certificatePem, keyPem, caPem } = this.#identity;
    const url = this.#brokers[this.#state.turn % this.#brokers.length] ?? brokerUrl;
    const sid = ulid(clock.wallMs(), random(10));
    const mine = (): boolean => this.#line?.sid === sid;
    const connection = openBroker(
      {
        url,
        uid,
        password: plainJwt ? brokerPassword(this.#identity, clock.wallMs()) : undefined,
        tls: plainJwt ? undefined : { cert: certificatePem, key: keyPem, ca: caPem },
        will: { topic: this.#topic('up/state'), payload: JSON.stringify({ v: 1, st: 'off', sid }) },
      },
      {
        opened: () => mine() && this.#decide({ kind: 'opened', atMs: clock.monoMs() }),
        message: (topic, payload) => mine() && this.#onMessage(topic, payload),
        lost: (reason) => mine() && this.#lost(reason),
      },
    );
    this.#line = { sid, url, connection };
  }

  #lost(reason: string): void {
    const wasOpen = this.connected;
    this.#forget();
    const { log } = this.#ports;
    if (wasOpen) log('warn', 'uplink.disconnected', 'Lost the management connection', { reason });
    // Attempts are repeated for weeks without a line: a person needs each reason once.
    else
      log(
        reason === this.#failure ? 'debug' : 'warn',
        'uplink.connect_failed',
        'Could not open the management connection',
        { reason },
      );
    this.#failure = wasOpen ? undefined : reason;
    const nowMs = this.#ports.clock.monoMs();
    this.#decide({ kind: wasOpen ? 'lost' : 'failed', atMs: nowMs, random: fraction(this.#ports) });
  }

  #forget(): void {
    this.#line = undefined;
    this.#birthTimer.stop();
    this.#heartbeatTimer.stop();
    this.#lanes.lost();
    this.#records?.lost();
    this.#echo.lost();
    this.#present({ kind: 'lost' });
  }

  /** The own state is subscribed last: what is retained there is then our birth, and not the word of a former life. */
  #greet(): void {
    const line = this.#line;
    if (line === undefined) return;
    const { connection, sid } = line;
    const greeting = async (): Promise<void> => {
      await connection.subscribe(downFilter(placeOf(this.#identity)));
      await connection.subscribe(cpStateTopic(this.#identity.shard));
      if (this.#line !== line) return;
      this.#heartbeats = 0;
      this.#present({ kind: 'connected', sid, atMs: this.#ports.clock.monoMs() });
      await connection.subscribe(this.#topic('up/state'));
      if (this.#line !== line) return;
      this.#ports.log('info', 'uplink.connected', 'Opened the management connection', { sid });
      const unsent = [...this.#unsent.values()];
      this.#unsent.clear();
      for (const report of unsent) this.report(report);
      this.#lanes.opened();
      this.#records?.opened();
      this.#configuration.hurry(FETCH_SPREAD_MS);
      this.#nextHeartbeat();
    };
    this.#ports.run(greeting().catch((error: unknown) => this.#failed(line, error)));
  }

  /** A broker that takes the connection and nothing else is no connection. */
  #failed(line: Line, error: unknown): void {
    if (this.#line !== line) return;
    this.#ports.run(line.connection.end());
    this.#lost(error instanceof Error ? error.message : String(error));
  }

  // Messages to the cloud

  #present(input: PresenceInput): void {
    const { state, effects } = stepPresence(this.#presence, input);
    this.#presence = state;
    for (const effect of effects) {
      if (effect.kind === 'birth') this.#birth(effect.sid, effect.birthNo);
      else {
        this.#birthTimer.start(effect.delayMs, () =>
          this.#present({ kind: 'due', atMs: this.#ports.clock.monoMs() }),
        );
      }
    }
  }

  #presentAgain(): void {
    this.#present({ kind: 'rebirth', atMs: this.#ports.clock.monoMs() });
  }

  #birth(sid: string, birthNo: number): void {
    this.#echo.said(sid, birthNo);
    const { clock, journal, facts } = this.#ports;
    const said = { sid, birthNo, boot: journal.boot, ts: clock.wallMs() };
    this.#say('up/state', birthOf(said, facts(), this.#configuration.facts, this.#lanes.heads), {
      retain: true,
    });
  }

  #nextHeartbeat(): void {
    const intervalS = HEARTBEAT_S[this.#configuration.profile];
    const { clock, sha256Hex } = this.#ports;
    const delayMs = untilHeartbeatMs(this.#identity.uid, intervalS, clock.wallMs(), sha256Hex);
    this.#heartbeatTimer.start(delayMs, () => this.#beat());
  }

  #beat(): void {
    const { sid } = this.#presence;
    if (sid === undefined) return;
    const { clock, facts } = this.#ports;
    const ts = clock.wallMs();
    const certDays = Math.floor((this.#identity.expiresAtMs - ts) / DAY_MS);
    const said = { sid, n: ++this.#heartbeats, ts, certDays };
    const heartbeat = heartbeatOf(said, facts(), this.#configuration.facts, this.#lanes.waiting);
    this.#say('up/hb', heartbeat, { qos: this.#configuration.profile === 'high' ? 1 : 0 });
    this.#nextHeartbeat();
  }

  /** A message that cannot be published is lost with its connection; everything that counts is said again after the next. */
  #say(
    leaf: Leaf,
    payload: unknown,
    options: { readonly qos?: 0 | 1; readonly retain?: boolean; readonly lost?: () => void } = {},
  ): void {
    const line = this.#line;
    if (line === undefined) return;
    const { qos = 1, retain = false, lost } = options;
    const published = line.connection.publish(this.#topic(leaf), JSON.stringify(payload), { qos, retain });
    this.#ports.run(
      published.catch((error: unknown) => {
        this.#ports.log('debug', 'uplink.publish_failed', 'Could not publish a message to the cloud', {
          leaf,
          cause: String(error),
        });
        lost?.();
      }),
    );
  }

  #topic(leaf: Leaf): string {
    return topicOf(placeOf(this.#identity), leaf);
  }

  // Messages from the cloud

  #onMessage(topic: string, payload: Buffer): void {
    if (payload.length > PAYLOAD_LIMIT_BYTES) return;
    const text = payload.toString('utf8');
    switch (topic) {
      case this.#topic('dn/twin'):
        this.#ports.run(this.#configuration.offerTwin(text.trim()));
        return;
      case this.#topic('dn/ack'): {
        const ack = eventAckSchema.safeParse(parsed(text));
        if (!ack.success) return;
        this.#lanes.acknowledged(ack.data);
        if (ack.data.rec !== undefined) this.#records?.acknowledged(ack.data.rec);
        return;
      }
      case this.#topic('dn/req'):
        this.#requests.arrived(parsed(text));
        return;
      case this.#topic('up/state'): {
        const own = stateSchema.safeParse(parsed(text));
        const nowMs = this.#ports.clock.monoMs();
        if (!own.success) return;
        this.#echo.onState(own.data);
        this.#present({ kind: 'ownState', state: own.data, atMs: nowMs });
        return;
      }
      case cpStateTopic(this.#identity.shard): {
        const owner = ownerStateSchema.safeParse(parsed(text));
        if (!owner.success) return;
        this.#abilities = owner.data.st === 'on' ? owner.data.cap : [];
        this.#records?.capable(owner.data.cap.includes(RECORD_CAPABILITY));
        const announced = owner.data.st === 'off' && owner.data.why === 'shutdown';
        this.#decide({ kind: 'shutdownAnnounced', announced });
        // A control plane that has said goodbye is away at every broker.
        const present = owner.data.st === 'on' || announced;
        if (this.#brokers.length > 1) this.#decide({ kind: 'owner', present, random: fraction(this.#ports) });
        return;
      }
      // Nothing else was subscribed: a broker that sends it is not to be followed.
      default:
        this.#ports.log('debug', 'uplink.message_ignored', 'Ignored a message that is not for this host', {
          topic,
        });
    }
  }

  async #within(limitMs: number, work: Promise<void>): Promise<void> {
    const timer = new Timer(this.#ports);
    const late = new Promise<void>((resolve) => timer.start(limitMs, resolve));
    await Promise.race([work.catch(() => undefined), late]);
    timer.stop();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
