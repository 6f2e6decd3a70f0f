import {
  type FeedAsk,
  feedAnswerSchema,
  feedAskSchema,
  forwardAnswerSchema,
  forwardSchema,
  type Hello,
  type RecordingAsk,
  type RecordingPart,
  recordingAskSchema,
} from '#shared/contract/peer/index.ts';
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
import { type Copies, noCopies } from '../site/host/peer/site-journal.ts';
import { SitePeers } from '../site/host/peer/site-peers.ts';
import { type ForwardPorts, forwardedHere, siteForward } from '../site/host/site-forward.ts';
import { type LostPorts, SiteLost } from '../site/host/site-lost.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { HostIdentity } from '../site/index.ts';
import {
  holderOfAddress,
  initialCatchUp,
  initialRoleHistory,
  leaderOf,
  mayHaveAddress as mayHave,
  SiteMembers,
  servingHosts,
  stepCatchUp,
  stepRoles,
} from '../site/peer/index.ts';
import { clock } from './adapters.ts';
import type { Late } from './late.ts';
import { type FindPeerRecording, peerRecordings } from './recording/index.ts';
import { alone, type HostSupervision, type PeerView } from './supervision.ts';
import { openVip } from './vip.ts';

/** A host looks at the others, and says that it serves, this often. */
const LOOK_MS = 1_000;
/** A returning host asks the others before it sends, at most so long. */
const COMPARE_MS = 10_000;
const FORWARD_MS = 16_000;
/** The other one waits for the cloud in our place. */
const FEED_MS = 25_000;
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
  const { journal, replica, startTimer, log, run, site } = dependencies;
  const { faults, operateAs } = dependencies;
  const { engine, ports, supervision } = dependencies.late;
  /** The name by which the site knows this host; the machine may get another name after its enrolment. */
  const ownHostId = (): string => site.identity?.hostId ?? config.hostId;
  const vip = openVip(config.runFolder);
  let desk: SitePeers | undefined;
  let serve: (() => Promise<readonly PeerServer[]>) | undefined;
  let servers: Promise<readonly PeerServer[]> | undefined;
  let bound: readonly Listen[] = [];
  let opened: { readonly close: () => Promise<void> } | undefined;
  const members = new SiteMembers({
    standings: replica.standings,
    hosts: (scope) =>
      replica.rows(scope, undefined, ROWS).flatMap(({ entity, body }) => (entity === 'host' ? [body] : [])),
    known: config.peers,
  });
  let listens = false;
  let catchUp = initialCatchUp;
  let story = initialRoleHistory;

  const lookAtMembers = (): void => {
    if (members.look()) desk?.membersChanged();
  };

  const standing = () => {
    const { admittance } = engine.now.cordon;
    const ready = dependencies.storable();
    const mine = vip.mine;
    return {
      ready,
      serving: listens && ready && site.configured && admittance === 'open',
      ...(mine !== undefined && { vip: mine }),
      cfg: members.revisions,
      labels: [...members.labels],
      ...supervision.now.standing(),
    };
  };

  /** A host that the cloud does not reach learns from the others that there is something newer: by way of them it gets it. */
  const compareRevisions = ({ cfg }: Hello): void => {
    if (cfg === undefined || site.connected) return;
    const step = stepCatchUp(catchUp, { own: members.revisions, theirs: cfg, nowMs: clock.monoMs() });
    catchUp = step.state;
    if (step.asks) run(site.reconfigure());
  };

  const look = (): void => {
    lookAtMembers();
    engine.now.trunks.registers = !members.hasOthers || (desk?.leads ?? true);
    // A host that is alone has no address to share.
    if (!members.hasOthers) return;
    run(vip.look(mayHaveAddress()));
    servers ??= serve?.();
    tellRoles();
  };

  const roles = (): readonly string[] => [
    ...(vip.mine === true ? ['vip'] : []),
    ...(members.hasOthers && desk?.leads ? ['leader'] : []),
  ];

  /** Reports which host has which role, and why that changed, for a person who looks at the site later. */
  const tellRoles = (): void => {
    if (desk === undefined || !listens) return;
    const nameOf = (uid: string | undefined) => members.hostIdOf(uid);
    const vipAt = vip.mine === true ? desk.view.self : holderOfAddress(desk.view, members.all)?.uid;
    const [vipHost, leader] = [nameOf(vipAt), nameOf(leaderOf(desk.view, standing()))];
    const look = {
      roles: roles(),
      epoch: desk.epoch,
      words: desk.words,
      holders: { ...(vipHost && { vip: vipHost }), ...(leader && { leader }) },
      hostId: nameOf(desk.view.self) ?? ownHostId(),
      serving: servingHosts(desk.view, members.all),
      serves: mayHaveAddress(),
      faults: faults(),
    };
    const step = stepRoles(story, look, clock.monoMs());
    story = step.story;
    if (step.news !== undefined) hostReporter(ports.now)('siteRole', step.news);
  };

  const mayHaveAddress = (): boolean =>
    mayHave({
      listens,
      admittance: engine.now.cordon.admittance,
      faults: faults(),
      hasSubstitute: desk?.substitute !== undefined,
    });

  const open = async (identity: HostIdentity): Promise<void> => {
    if (desk !== undefined || config.peer.length === 0) return;
    const own = { cert: identity.certificatePem, key: identity.keyPem };
    const client = createPeerClient(own);
    lookAtMembers();
    const lost = new SiteLost({
      ...ports.now,
      startTimer,
      delivery: engine.now.delivery,
      cloudSees: dependencies.cloudSees,
    });
    const made = new SitePeers({
      self: identity.uid,
      journal,
      clock,
      log,
      run,
      startTimer,
      members: () => members.all,
      call: client.call,
      standing,
      onEpoch: (epoch) => log('info', 'site.epoch_changed', 'The site entered a new term', { epoch }),
      running: () => engine.now.sessionIds,
      twinOf: (id, atMs) => engine.now.alarmDesk.twinOf(id, atMs),
      onLeft: (left) => engine.now.alarmDesk.restore(left),
      onAdopted: (adoption) => engine.now.takeOver(adoption),
      withdraw: (ids) => engine.now.delivery.withdraw(ids),
      isUnderWay: (id) => engine.now.delivery.isUnderWay(id),
      deadline: () => engine.now.delivery.deadline(),
      onVipTwice: (twice) =>
        supervision.now.watch.fault(
          'serviceFailure',
          'vip',
          twice ? 'two hosts hold the address of the site' : undefined,
        ),
      onHello: compareRevisions,
      onGone: (uid) => lost.gone(uid),
      onBack: (uid) => lost.back(uid),
    });
    desk = made;
    const { peer } = config;
    const serveAt = (at: Listen): Promise<readonly PeerServer[]> =>
      openPeerServer({
        ...at,
        ...own,
        ownFamily: peer.length > 1,
        members: () => members.all,
        answer: async (path, from, body) => {
          if (path === 'hello' || path === 'copy' || path === 'state')
            return await made.answer(path, from, body);
          if (path === 'operation')
            return await forwardedHere(forwardSchema.safeParse(body).data, operateAs(ownHostId()));
          if (path === 'recording') {
            const wanted = recordingAskSchema.safeParse(body).data;
            return wanted && (await dependencies.recordingPart(wanted));
          }
          const ask = feedAskSchema.safeParse(body).data;
          return path === 'feed' && ask !== undefined ? await dependencies.feed(from, ask) : undefined;
        },
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
      const opened = (await Promise.all(peer.map(serveAt))).flat();
      bound = opened.map(({ host, port }) => ({ host, port }));
      return opened;
    };
    opened = {
      close: async () => {
        made.stop();
        lost.stop();
        client.close();
        await Promise.all(((await servers) ?? []).map((server) => server.close()));
      },
    };
    const up = () => members.all.filter(({ uid }) => made.view.links[uid]?.at === 'up');
    recording = peerRecordings(up, client.call);
    askFeed = async (ask) => {
      for (const member of up()) {
        const answer = await client.call(member, 'feed', ask, FEED_MS);
        const said = feedAnswerSchema.safeParse(answer).data;
        if (said?.text !== undefined || said?.notModified === true) return said;
      }
      return undefined;
    };
    forward = async (to, request) => {
      const said = { v: 1, from: identity.uid, ...request };
      const there = await client.call(to, 'operation', said, FORWARD_MS);
      // Said by the same program on another host of the site: the shape is ours.
      return forwardAnswerSchema.safeParse(there).data as Awaited<ReturnType<ForwardPorts['ask']>>;
    };
    // Until the others are heard, or known to be lost: two registrations at one carrier would take calls from each other.
    engine.now.trunks.registers = !members.hasOthers;
    if (members.hasOthers) servers = serve();
    await servers;
    made.start();
  };

  let askFeed: (ask: FeedAsk) => Promise<unknown> = async () => undefined;
  let recording: FindPeerRecording = async () => undefined;
  let forward: ForwardPorts['ask'] = async () => undefined;

  const forwarding = siteForward({
    self: ownHostId,
    other: (hostId) => {
      const member = desk?.member(hostId);
      return member && { member, dead: desk?.view.links[member.uid]?.at === 'dead' };
    },
    isHere: (session) => engine.now.alarmDesk.bySession(session) !== undefined,
    operateAs: (hostId) => operateAs(hostId),
    ask: (to, request) => forward(to, request),
  });
  const answer: AnswerOperation = async (request) =>
    !members.hasOthers ? await operateAs(ownHostId())(request) : await forwarding(request);

  let stopLooking = (): void => undefined;
  let closed = false;
  /** Each second while there are others; a host that is alone looks when its configuration has changed. */
  const looks = (): void => {
    try {
      look();
    } catch (cause) {
      log('error', 'peer_link.check_failed', 'Could not check the other hosts of the site', {
        cause: String(cause),
      });
    }
    stopLooking();
    if (members.hasOthers && !closed) stopLooking = startTimer(LOOK_MS, looks);
  };
  site.configurationChanged.add(looks);

  return {
    get bound() {
      return bound;
    },
    copies: {
      available: () => (desk?.copies ?? noCopies).available(),
      copy: (writes) => (desk?.copies ?? noCopies).copy(writes),
      holder: () => (desk?.copies ?? noCopies).holder(),
      note: (writes) => (desk?.copies ?? noCopies).note(writes),
    },
    get epoch() {
      return Math.max(1, desk?.epoch ?? journal.epoch);
    },
    get view() {
      if (desk === undefined || !members.hasOthers) return alone;
      const holder = vip.mine === true ? ownHostId() : undefined;
      const theirs = members.all.find(({ uid }) => desk?.view.links[uid]?.hello?.vip === true)?.hostId;
      return {
        target: desk.substitute?.hostId,
        places: desk.places,
        hasPeers: true,
        vip: holder ?? theirs,
        answering: Object.fromEntries(
          Object.entries(desk.words).map(([hostId, word]) => [hostId, word === 'ok']),
        ),
      };
    },
    get words() {
      return desk?.words ?? {};
    },
    get roles() {
      return roles();
    },
    sees: (uid) => {
      const link = desk?.view.links[uid];
      return link === undefined ? undefined : link.at === 'up';
    },
    isHeld: (id) => desk?.copies.isHeld(id) ?? false,
    listening: () => {
      listens = true;
      looks();
    },
    mayHaveAddress,
    answer,
    askFeed: (ask) => askFeed(ask),
    recording: (fileName, forCloud) => recording(fileName, forCloud),
    open,
    compared: async () => {
      lookAtMembers();
      if (desk === undefined || !members.hasOthers) return;
      const late = Promise.withResolvers<void>();
      const stop = startTimer(COMPARE_MS, late.resolve);
      await Promise.race([desk.compared(), late.promise]);
      stop();
    },
    close: async () => {
      closed = true;
      stopLooking();
      await vip.leave();
      await opened?.close();
    },
  };
}
