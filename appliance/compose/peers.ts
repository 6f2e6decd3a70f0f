import type { FeedAsk, RecordingAsk, RecordingPart } from '#shared/contract/peer/index.ts';
import { type Listen, listenAdvice } from '#shared/setting/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { Journal } from '../delivery/outbox/index.ts';
import { hostReporter } from '../delivery/site-report.ts';
import type { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import type { OpenReplica } from '../io/config/index.ts';
import { createPeerClient, openPeerServer, type PeerServer } from '../io/peer/index.ts';
import type { Log } from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import type { AnswerOperation } from '../operation/index.ts';
import { answerPeer, askPeers, forwardBy } from '../site/host/peer/peer-request.ts';
import { PeerWatch } from '../site/host/peer/peer-watch.ts';
import { type Copies, noCopies } from '../site/host/peer/site-journal.ts';
import { SitePeers } from '../site/host/peer/site-peers.ts';
import { type ForwardPorts, siteForward } from '../site/host/site-forward.ts';
import { type LostPorts, SiteLost } from '../site/host/site-lost.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { HostIdentity } from '../site/index.ts';
import { type PeerView, SiteMembers, seesHost } from '../site/peer/index.ts';
import { clock } from './adapters.ts';
import type { Late } from './late.ts';
import { type FindPeerRecording, peerRecordings } from './recording/index.ts';
import { FIRST_EPOCH } from './status.ts';
import type { HostSupervision } from './supervision.ts';
import { openVip } from './vip.ts';

/** Most rows of hosts in a scope. */
const ROWS = 500;

export interface PeersDependencies {
  readonly journal: Journal;
  readonly replica: OpenReplica;
  readonly storable: () => boolean;
  readonly startTimer: StartTimer;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
  readonly site: SiteAgent;
  /** Signed bytes for another host that has no WAN, by its uid. */
  readonly feed: (uid: string, ask: FeedAsk) => Promise<unknown>;
  readonly cloudSees: LostPorts['cloudSees'];
  /** A part of a recording of this host. */
  readonly recordingPart: (ask: RecordingAsk) => Promise<RecordingPart | undefined>;
  /** Why this host cannot serve; empty = it can. */
  readonly faults: () => readonly string[];
  /** Operations as this host does them, also in the name of one that is lost. */
  readonly operateAs: (hostId: string) => AnswerOperation;
  readonly late: {
    readonly engine: Late<ApplianceEngine>;
    readonly ports: Late<EnginePorts>;
    readonly supervision: Late<Pick<HostSupervision, 'standing' | 'watch'>>;
  };
}

/** The other hosts of the site, joined. A host that is alone has none of it. */
export interface OpenPeers {
  /** Where the link listens; none for a host that is alone. */
  readonly bound: readonly Listen[];
  readonly copies: Copies;
  readonly epoch: number;
  readonly view: PeerView;
  readonly words: Readonly<Record<string, string>>;
  readonly roles: readonly string[];
  /** Undefined: this host knows no such other one. */
  readonly sees: (uid: string) => boolean | undefined;
  readonly isHeld: (id: string) => boolean;
  /** Everything listens: from now on this host serves. */
  readonly listening: () => void;
  /** This host may have the address of the site. */
  readonly mayHaveAddress: () => boolean;
  readonly answer: AnswerOperation;
  /** Configuration by way of another host that reaches the cloud; undefined: none does. */
  readonly askFeed: (ask: FeedAsk) => Promise<unknown>;
  /** A recording of another host that answers; undefined: none of them has it. */
  readonly recording: FindPeerRecording;
  /** As this machine becomes a host, or is one. */
  readonly open: (identity: HostIdentity) => Promise<void>;
  /** The others were asked what they did in our place. */
  readonly compared: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export function openPeers(config: ApplianceConfig, dependencies: PeersDependencies): OpenPeers {
  const { journal, replica, startTimer, log, run, site, faults, operateAs } = dependencies;
  const { engine, ports, supervision } = dependencies.late;
  /** The name by which the site knows this host; the machine may get another name after its enrolment. */
  const ownHostId = (): string => site.identity?.hostId ?? config.hostId;
  let link: SitePeers | undefined;
  let serve: (() => Promise<readonly PeerServer[]>) | undefined;
  let servers: Promise<readonly PeerServer[]> | undefined;
  let bound: readonly Listen[] = [];
  let opened: { readonly close: () => Promise<void> } | undefined;
  let askFeed: OpenPeers['askFeed'] = async () => undefined;
  let forward: ForwardPorts['ask'] = async () => undefined;
  let recording: FindPeerRecording = async () => undefined;
  const members = new SiteMembers({
    standings: replica.standings,
    hosts: (scope) =>
      replica.rows(scope, undefined, ROWS).flatMap(({ entity, body }) => (entity === 'host' ? [body] : [])),
    known: config.peers,
  });
  const watch = new PeerWatch({
    ...{ clock, log, run, startTimer, members, faults, ownHostId },
    vip: openVip(config.runFolder),
    link: () => link,
    storable: dependencies.storable,
    admittance: () => engine.now.cordon.admittance,
    isConfigured: () => site.configured,
    isConnected: () => site.connected,
    supervised: () => supervision.now.standing(),
    registerTrunks: (registers) => {
      engine.now.trunks.registers = registers;
    },
    report: (change) => hostReporter(ports.now)('siteRole', change),
    listen: () => {
      servers ??= serve?.();
    },
    reconfigure: () => site.reconfigure(),
  });

  const open = async (identity: HostIdentity): Promise<void> => {
    if (link !== undefined || config.peer.length === 0) return;
    const own = { cert: identity.certificatePem, key: identity.keyPem };
    const client = createPeerClient(own);
    watch.lookAtMembers();
    const lost = new SiteLost({
      ...ports.now,
      startTimer,
      delivery: engine.now.delivery,
      cloudSees: dependencies.cloudSees,
    });
    const made = new SitePeers({
      ...{ self: identity.uid, journal, clock, log, run, startTimer },
      members: () => members.all,
      call: client.call,
      standing: () => watch.standing,
      onEpoch: (epoch) => log('info', 'site.epoch_changed', 'The site entered a new term', { epoch }),
      running: () => engine.now.sessionIds,
      twinOf: (id, atMs) => engine.now.alarmSessions.twinOf(id, atMs),
      onLeft: (left) => engine.now.alarmSessions.restore(left),
      onAdopted: (adoption) => engine.now.takeOver(adoption),
      withdraw: (ids) => engine.now.delivery.withdraw(ids),
      isInFlight: (id) => engine.now.delivery.isInFlight(id),
      deadline: () => engine.now.delivery.deadline(),
      onVipTwice: (twice) =>
        supervision.now.watch.fault(
          'serviceFailure',
          'vip',
          twice ? 'two hosts hold the address of the site' : undefined,
        ),
      onHello: (hello) => watch.onHello(hello),
      onSilent: (uid) => lost.silent(uid),
      onBack: (uid) => lost.back(uid),
    });
    link = made;
    const requests = {
      link: made,
      feed: dependencies.feed,
      recordingPart: dependencies.recordingPart,
      operate: ((request) => operateAs(ownHostId())(request)) satisfies AnswerOperation,
    };
    const serveAt = (at: Listen): Promise<readonly PeerServer[]> =>
      openPeerServer({
        ...at,
        ...own,
        ownFamily: config.peer.length > 1,
        members: () => members.all,
        answer: (path, from, body) => answerPeer(requests, path, from, body),
      }).then(
        (server) => [server],
        (cause: NodeJS.ErrnoException) => {
          // Alone is better than not at all: alarms are taken, and the link is asked for again with the next start.
          const advice = listenAdvice('CARILLON_PEER', at, cause.code);
          log('error', 'peer_link.listen_failed', 'Could not open the link to the other hosts', {
            advice,
            cause: String(cause),
          });
          return [];
        },
      );
    // A host that is alone opens no listener for peers.
    serve = async () => {
      const open = (await Promise.all(config.peer.map(serveAt))).flat();
      bound = open.map(({ host, port }) => ({ host, port }));
      return open;
    };
    opened = {
      close: async () => {
        made.stop();
        lost.stop();
        client.close();
        await Promise.all(((await servers) ?? []).map((server) => server.close()));
      },
    };
    askFeed = (ask) => askPeers(ask, { members: members.all, view: made.view, call: client.call });
    forward = forwardBy(identity.uid, client.call);
    const up = () => members.all.filter(({ uid }) => made.view.links[uid]?.at === 'up');
    recording = peerRecordings(up, client.call);
    // Until the others are heard, or known to be lost: two registrations at one carrier would take calls from each other.
    engine.now.trunks.registers = !members.hasOthers;
    if (members.hasOthers) servers = serve();
    await servers;
    made.start();
  };

  const forwarding = siteForward({
    self: ownHostId,
    other: (hostId) => {
      const member = link?.member(hostId);
      return member && { member, dead: link?.view.links[member.uid]?.at === 'dead' };
    },
    isHere: (session) => engine.now.alarmSessions.bySession(session) !== undefined,
    operateAs: (hostId) => operateAs(hostId),
    ask: (to, request) => forward(to, request),
  });
  const answer: AnswerOperation = async (request) =>
    !members.hasOthers ? await operateAs(ownHostId())(request) : await forwarding(request);
  site.configurationChanged.add(() => watch.look());

  return {
    get bound() {
      return bound;
    },
    copies: {
      available: () => (link?.copies ?? noCopies).available(),
      copy: (writes) => (link?.copies ?? noCopies).copy(writes),
      holder: () => (link?.copies ?? noCopies).holder(),
      note: (writes) => (link?.copies ?? noCopies).note(writes),
    },
    get epoch() {
      return Math.max(FIRST_EPOCH, link?.epoch ?? journal.epoch);
    },
    get view() {
      return watch.view;
    },
    get words() {
      return link?.words ?? {};
    },
    get roles() {
      return watch.roles;
    },
    sees: (uid) => seesHost(link?.view, uid),
    isHeld: (id) => link?.copies.isHeld(id) ?? false,
    listening: () => watch.listening(),
    mayHaveAddress: () => watch.mayHaveAddress(),
    answer,
    askFeed: (ask) => askFeed(ask),
    recording: (fileName, forCloud) => recording(fileName, forCloud),
    open,
    compared: () => watch.compared(),
    close: async () => {
      await watch.stop();
      await opened?.close();
    },
  };
}
