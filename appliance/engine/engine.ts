import { AlarmAudit } from '../alarm/audit/index.ts';
import { HandshakeStatistics } from '../alarm/handshake/index.ts';
import { NowIpAdapter } from '../alarm/nowip/nowip-adapter.ts';
import { ListTests, PeopleOfAlarms } from '../alarm/people/index.ts';
import { ProfileTables } from '../alarm/profile/index.ts';
import { Dc09Adapter } from '../alarm/receiving/adapter/dc09-adapter.ts';
import { type Answering, DeviceReply } from '../alarm/receiving/adapter/device-reply.ts';
import { FrameAdapter } from '../alarm/receiving/adapter/frame-adapter.ts';
import { MessageAdapter } from '../alarm/receiving/adapter/message-adapter.ts';
import { ScaipAdapter } from '../alarm/receiving/adapter/scaip-adapter.ts';
import { AlarmIntake } from '../alarm/receiving/alarm-intake.ts';
import { AlarmJournal } from '../alarm/receiving/alarm-journal.ts';
import { AlarmSessions } from '../alarm/receiving/alarm-sessions.ts';
import { receiverNow } from '../alarm/receiving/current-receiver.ts';
import { FRAME_PROTOCOLS } from '../alarm/receiving/frame-protocol.ts';
import { HeartbeatSupervision } from '../alarm/receiving/heartbeat-supervision.ts';
import { MESSAGE_PROTOCOLS } from '../alarm/receiving/message-protocol.ts';
import { AlarmSending } from '../alarm/sending/index.ts';
import { AlarmStreams } from '../alarm/stream/index.ts';
import { AlarmVoice, ToneCalls, takeReceiverCalls } from '../alarm/voice/index.ts';
import type { CloudUserAgents } from '../call/cloud-ua/index.ts';
import { CallControl, CallRouter, insideLine, isInside } from '../call/control/index.ts';
import type { MediaServices } from '../call/media-service/index.ts';
import { MessageAttempt, SipMessages } from '../call/message/index.ts';
import type { RecordingServices } from '../call/recording/index.ts';
import type { CallSound } from '../call/sound/index.ts';
import { NextHopResolver, StreamFallback, TrunkGroup } from '../call/trunk/index.ts';
import { DeliveryService } from '../delivery/delivery-service.ts';
import { PlatformAlarms } from '../delivery/platform-alarms.ts';
import { TraceWriteBehind } from '../delivery/trace-write-behind.ts';
import { describeDefect } from '../kernel/defect.ts';
import type { TimerScope } from '../kernel/engine-timers.ts';
import { DeviceLine } from '../registration/device-line.ts';
import { directory } from '../registration/directory.ts';
import { Registrations } from '../registration/registrations.ts';
import { Authenticator } from '../sip/auth/index.ts';
import { type Flow, SipEndpoint } from '../sip/endpoint/index.ts';
import type { SipRequest } from '../sip/message/index.ts';
import type { Adoption } from '../site/host/peer/site-adoption.ts';
import { Cordon } from '../site/host/site-cordon.ts';
import { UsageRecorder } from '../site/host/usage-recorder.ts';
import { capability } from './capability.ts';
import { DeviceCommands } from './device-commands.ts';
import type { EnginePorts } from './engine-port.ts';
import type { EngineLoad, EngineOptions } from './engine-setting.ts';
import { invitePurpose } from './invite-purpose.ts';
import { routeMediaEvents } from './media-router.ts';
import { openPrograms } from './programs.ts';
import { SelfCalls, TestAlarms, TestSendings } from './self-test/index.ts';
import { SipIngress } from './sip-ingress.ts';
import { StrangerQueue } from './stranger-queue.ts';
import { watchUsage } from './usage-watch.ts';

/**
 * The loop: owns every machine and every timer of this appliance. Every input comes in by a method with the time read from the
 * clock, and `advance` fires what is due. No I/O of its own.
 */
export class ApplianceEngine {
  readonly endpoint: SipEndpoint;
  /** Decides which requests are still taken while this host is drained. */
  readonly cordon: Cordon<SipRequest>;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
  readonly alarmSessions: AlarmSessions;
  readonly registrations: Registrations;
  readonly pages: TraceWriteBehind;
  readonly heartbeats: HeartbeatSupervision;
  readonly dc09: Dc09Adapter;
  /** Adapters of the other protocols of frames, by name. */
  readonly framed: ReadonlyMap<string, FrameAdapter>;
  readonly nowip: NowIpAdapter;
  /** People who are called for alarms. */
  readonly people: PeopleOfAlarms;
  /** Test calls of emergency lists. */
  readonly listTests: ListTests;
  /** Speech of alarms. */
  readonly voice: AlarmVoice;
  /** Ways to any SIP address. */
  readonly reach: NextHopResolver;
  readonly trunks: TrunkGroup;
  readonly calls: CallControl;
  readonly tones: ToneCalls;
  /** Calls whose flow an application decides. */
  readonly media: MediaServices;
  /** Calls of applications that speak RTP and no SIP. */
  readonly remote: CloudUserAgents;
  /** Prompts, recordings and streams of calls. */
  readonly sound: CallSound | undefined;
  /** Recording services; without sound there are none. */
  readonly recordings: RecordingServices | undefined;
  /** Commands of applications to devices. */
  readonly commands: DeviceCommands;
  /** Programs that hear calls of alarms. */
  readonly alarmStreams: AlarmStreams;
  /** How calls of tone devices begin. */
  readonly handshakes: HandshakeStatistics;
  /** SIP MESSAGEs of applications. */
  readonly messages: SipMessages;
  /** Alarms on their way to receivers. */
  readonly sending: AlarmSending;
  /** Calls of this machine to itself. */
  readonly selfCalls: SelfCalls;
  /** Alarms that say that they are a test of this machine. */
  readonly testAlarms: TestAlarms;
  readonly testSendings: TestSendings;
  /** Records the usage, for the cloud. */
  readonly usage: UsageRecorder;
  readonly #ports: EnginePorts;
  readonly #sip: SipIngress;
  /** Datagrams on their way to the endpoint. */
  readonly #unknownPeers: StrangerQueue;
  readonly #line: DeviceLine;
  readonly #scaip: ScaipAdapter;
  readonly #intake: AlarmIntake;
  readonly #timers: TimerScope<'follow'>;

  constructor(ports: EnginePorts, setting: EngineOptions) {
    this.#ports = ports;
    const receiver = receiverNow(ports.tenant);
    const isAlarm = (user: string): boolean =>
      receiver().bridgeFor(user, 'strayCall') !== undefined || this.selfCalls.expects(user);
    const purposeOf = (request: SipRequest) => invitePurpose(request, { isAlarm, calls: this.calls, router });
    this.cordon = new Cordon(purposeOf);
    const { timers } = ports;
    const streamFallback = new StreamFallback(ports, setting.connect);
    this.endpoint = new SipEndpoint({
      capability: capability(setting.canStore, this.cordon),
      random: ports.random,
      nowMs: ports.clock.monoMs(),
      ...(ports.wakeBy && { wakeBy: ports.wakeBy }),
      ...(setting.sentBy && { sentBy: setting.sentBy }),
      effects: {
        send: insideLine(setting.send, (flow, bytes) => this.message(flow, bytes), ports.run),
        deliver: (request, server, flow, nowMs) => {
          if (!this.selfCalls.deliver(request, server, flow)) this.#sip.deliver(request, server, flow, nowMs);
        },
        acknowledged: (ack) => {
          if (!this.selfCalls.acknowledged(ack)) this.calls.acknowledged(ack);
        },
        cancelled: (invite, _cancel, nowMs) => {
          if (!this.selfCalls.cancelled(invite)) this.calls.cancelled(invite, nowMs);
        },
        overdue: (invite, nowMs) => this.calls.cancelled(invite, nowMs),
        streams: streamFallback,
        onDefect: (error, doing) =>
          ports.log('error', 'sip.defect_caught', 'Caught a defect in the SIP endpoint', {
            doing,
            error: describeDefect(error),
          }),
      },
    });
    this.delivery = new DeliveryService(ports, setting.outbox);
    this.alarms = new PlatformAlarms(ports, this.delivery, setting.unknownUnitRate);
    this.reach = new NextHopResolver(
      setting.lookup,
      setting.connect,
      () => fraction(ports.random),
      streamFallback.connect,
    );
    this.trunks = new TrunkGroup(ports, {
      endpoint: this.endpoint,
      reach: this.reach,
      alarms: this.alarms,
      crypto: setting.crypto,
      contactAt: setting.contactAt,
    });
    this.pages = new TraceWriteBehind(ports);
    this.registrations = new Registrations(ports, this.pages, this.alarms);
    const router = new CallRouter(ports, { receiver, trunks: this.trunks, contactAt: setting.contactAt });
    this.calls = new CallControl(ports, {
      endpoint: this.endpoint,
      registrations: this.registrations,
      trunks: this.trunks,
      reach: this.reach,
      lookup: setting.lookup,
      pages: this.pages,
      router,
      hash: setting.crypto.hash,
      contactAt: setting.contactAt,
    });
    const { alarms, delivery, calls } = this;
    const programs = openPrograms(ports, setting, { calls, delivery, alarms });
    this.sound = programs.sound;
    this.recordings = programs.recordings;
    this.media = programs.media;
    this.remote = programs.remote;
    this.#line = new DeviceLine(ports, this.reach);
    const answering: Answering = (user, address) => this.registrations.answering(user, address);
    const reply = new DeviceReply(ports, {
      line: this.#line,
      newAttempt: () =>
        new MessageAttempt({ endpoint: this.endpoint, hash: setting.crypto.hash, ports }, undefined),
      answering,
      pages: this.pages,
    });
    this.messages = new SipMessages(ports, {
      endpoint: this.endpoint,
      delivery: this.delivery,
      alarms: this.alarms,
      reach: this.reach,
      hash: setting.crypto.hash,
      line: this.#line,
      registrations: this.registrations,
    });
    const file = new AlarmJournal(ports, this.delivery);
    const profiles = new ProfileTables(ports);
    const intake = new AlarmIntake(ports, { file, alarms: this.alarms, receiver, profiles });
    this.alarmSessions = new AlarmSessions(ports, { file, alarms: this.alarms, intake });
    this.#scaip = new ScaipAdapter(ports, {
      alarmSessions: this.alarmSessions,
      alarms: this.alarms,
      reply,
      pages: this.pages,
    });
    this.heartbeats = new HeartbeatSupervision(ports, { alarms, delivery, receiver, file });
    this.voice = new AlarmVoice(ports, this.alarmSessions);
    this.nowip = new NowIpAdapter(ports, {
      alarmSessions: this.alarmSessions,
      voice: this.voice,
      reply,
      profiles,
      receiver,
    });
    this.nowip.heartbeat.add((seen) => this.heartbeats.seen({ ...seen, isHeartbeat: true }));
    this.handshakes = new HandshakeStatistics(ports);
    this.tones = new ToneCalls(ports, {
      handshakes: this.handshakes,
      alarmSessions: this.alarmSessions,
      voice: this.voice,
      media: ports.media,
      receiver,
      profiles,
    });
    const messageProtocols = setting.messageProtocols ?? MESSAGE_PROTOCOLS;
    const audit = new AlarmAudit(ports, {
      sound: this.sound,
      alarmSessions: this.alarmSessions,
      delivery: this.delivery,
      alarms: this.alarms,
    });
    this.alarmStreams = new AlarmStreams(ports, {
      sound: this.sound,
      alarmSessions: this.alarmSessions,
      voice: this.voice,
      delivery: this.delivery,
    });
    takeReceiverCalls(ports, {
      calls: this.calls,
      tone: this.tones,
      nowip: this.nowip,
      alarmSessions: this.alarmSessions,
      voice: this.voice,
      receiver,
      profiles,
      byMessage: ['scaip', ...messageProtocols.map(({ name }) => name)],
      reply,
      audit: { recorded: (takes) => this.alarmStreams.streamed(audit.recorded(takes)) },
      alarms: this.alarms,
    });
    this.people = new PeopleOfAlarms(ports, {
      ...{ calls, delivery, sound: this.sound, alarmSessions: this.alarmSessions, voice: this.voice },
    });
    const { people, pages, sound } = this;
    this.listTests = new ListTests(ports, { calls, alarms, people, pages, sound });
    this.sending = new AlarmSending(ports, {
      endpoint: this.endpoint,
      reach: this.reach,
      trunks: this.trunks,
      hash: setting.crypto.hash,
      calls: this.calls,
      alarmSessions: this.alarmSessions,
      voice: this.voice,
      alarms: this.alarms,
      delivery: this.delivery,
      receiver,
      profiles,
      reply,
      registrations: this.registrations,
      frames: setting.frames,
      aesCbc: setting.aesCbc,
    });
    file.forwardBy(this.sending.forwarding);
    this.heartbeats.changed.add((change, traceId) => this.sending.forwarding.supervised(change, traceId));
    this.commands = new DeviceCommands(ports, this.alarmSessions, this.voice, this.sending);
    this.dc09 = new Dc09Adapter(ports, {
      alarmSessions: this.alarmSessions,
      alarms: this.alarms,
      receiver,
      profiles,
      sealing: { aes: setting.aesCbc, random: ports.random },
    });
    this.framed = new Map(
      (setting.frameProtocols ?? FRAME_PROTOCOLS).map((protocol) => [
        protocol.name,
        new FrameAdapter(
          ports,
          { alarmSessions: this.alarmSessions, alarms: this.alarms, receiver },
          protocol,
        ),
      ]),
    );
    this.dc09.alive.add((seen) => this.heartbeats.panel(seen));
    this.#scaip.heartbeat.add((seen) => this.heartbeats.seen({ ...seen, isHeartbeat: true }));
    this.#intake = intake;
    intake.deviceSeen.add((seen) => {
      // Panels are known by their account, not by the zone of an event: each frame of theirs tells.
      if (seen.bridge.protocol !== 'dc09') this.heartbeats.seen(seen);
    });
    this.delivery.died.add((row, reason) => this.alarms.deadLetter(row, reason));
    const known = directory(ports, {
      trunk: (claim) => this.trunks.identify(claim),
      verifyToken: setting.verifyToken,
    });
    this.#sip = new SipIngress(ports, {
      authenticator: new Authenticator(known, setting.crypto),
      scaip: this.#scaip,
      nowip: this.nowip,
      answering: messageProtocols.map(
        (protocol) => new MessageAdapter(ports, { alarmSessions: this.alarmSessions, reply }, protocol),
      ),
      protocols: setting.messageProtocols,
      sending: this.sending,
      registrations: this.registrations,
      messages: this.messages,
      reply,
      alarms: this.alarms,
      receiver,
      calls: this.calls,
      router,
      purposeOf,
      profiles,
      inviteRate: setting.inviteRate,
    });
    const { lookup, contactAt } = setting;
    this.selfCalls = new SelfCalls(ports, { endpoint: this.endpoint, lookup, contactAt });
    ports.media.events.add(
      routeMediaEvents({
        selfCalls: this.selfCalls,
        sound: this.sound,
        calls: this.calls,
        services: this.media,
      }),
    );
    this.testAlarms = new TestAlarms(ports, { delivery: this.delivery, file });
    this.testSendings = new TestSendings(ports, { sending: this.sending.sessions, profiles });
    this.usage = new UsageRecorder(ports);
    watchUsage(this, ports.clock.monoMs, this.usage.count);
    this.#unknownPeers = new StrangerQueue(ports, {
      handle: (flow, bytes) => this.endpoint.receive(flow, bytes, ports.clock.monoMs()),
      isKnown: (flow, user) =>
        ports.tenant().byId(user) !== undefined ||
        this.flowInUse(flow) ||
        this.trunks.identify({ address: flow.remoteAddress }) !== undefined,
      dropped: (flow) => {
        this.alarms.strangers.dropped(flow.remoteAddress, 'sip');
        ports.sessions?.attempted(flow.remoteAddress, 'no room for more messages of strangers');
      },
    });
    this.#timers = timers.scope((owner) =>
      owner === 'trunks' ? this.trunks.follow() : this.sending.follow(),
    );
    this.configurationChanged();
  }

  /**
   * Takes up what an earlier life left: bindings, supervision, undelivered callbacks, open alarms. `sendsLater`: the network is not
   * open; events on their way to receivers wait for `networkOpened`, or their tries would be spent in vain.
   */
  restore({ sendsLater = false }: { readonly sendsLater?: boolean } = {}): void {
    this.usage.restore();
    this.registrations.restore();
    this.heartbeats.restore();
    this.delivery.start();
    this.alarmSessions.restore();
    this.sending.restore({ later: sendsLater });
    this.sound?.restore();
  }

  /** Requests can leave from now on. */
  networkOpened(): void {
    this.sending.goOn();
  }

  /** Continues the rows and sessions that a lost host of this site left, except its alarms; they are in our journal by now. */
  takeOver({ rows, sessions }: Pick<Adoption, 'rows' | 'sessions'>): void {
    this.delivery.adopted(rows);
    this.sending.restore({ only: sessions });
  }

  /** Sessions in our hands, of alarms that came and of events that go out. */
  get sessionIds(): ReadonlySet<string> {
    return new Set([...this.alarmSessions.sessionIds, ...this.sending.sessions.sessionIds]);
  }

  message(flow: Flow, bytes: Buffer): void {
    if (isInside(flow)) this.endpoint.receive(flow, bytes, this.#ports.clock.monoMs());
    else this.#unknownPeers.take(flow, bytes);
  }

  /** A connection has failed, or an address cannot be reached. */
  flowFailed(flow: Flow): void {
    this.endpoint.transportFailed(flow, this.#ports.clock.monoMs());
    this.calls.connectionLost(flow);
    this.messages.connectionClosed(flow);
    if (flow.connection !== 0) this.registrations.connectionClosed(flow);
  }

  /** Is a device registered, or the peer of a call reached, by this connection? */
  flowInUse(flow: Flow): boolean {
    return this.registrations.uses(flow) || this.calls.uses(flow);
  }

  /**
   * The configuration changed: trunks and receivers are taken up and left. It happens in the loop, so that a defect of one stays
   * apart from the other and from the adoption of the configuration.
   */
  configurationChanged(): void {
    for (const owner of ['trunks', 'receivers'])
      this.#timers.start(owner, 'follow', this.#ports.clock.monoMs());
  }

  /** Fires every timer that is due: those of SIP transactions, which have a wheel of their own, then all others. */
  advance(): void {
    const nowMs = this.#ports.clock.monoMs();
    this.endpoint.advance(nowMs);
    this.#ports.timers.advance(nowMs);
  }

  /** Monotonic ms at which `advance` is wanted next. */
  nextDueMs(): number {
    const never = Number.POSITIVE_INFINITY;
    return Math.min(this.endpoint.nextDueMs() ?? never, this.#ports.timers.nextDueMs ?? never);
  }

  get load(): EngineLoad {
    return {
      alarms: this.alarmSessions.active,
      alarmsLastHour: this.#intake.openedLastHour,
      registrations: this.registrations.size,
      supervised: this.heartbeats.size,
      transactions: this.endpoint.serverCount + this.endpoint.clientCount,
      calls: this.calls.size,
      legs: this.calls.legs,
      sendings: this.sending.sessions.size + this.sending.talks.size,
    };
  }
}

const fraction = (random: EnginePorts['random']): number => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
