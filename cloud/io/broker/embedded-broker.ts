import { createServer as createPlainServer } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import {
  Aedes,
  type AedesPublishPacket,
  type AuthenticateError,
  type Client,
  type ConnectPacket,
  type PublishPacket,
} from 'aedes';
import { type HostPlace, parseTopic, topicOf } from '#shared/contract/feed/index.ts';
import { sendAtOnce } from '#shared/mqtt/index.ts';
import type { ServerIdentity } from '../authority/index.ts';
import { listenOnAnyAddress, type ProxyTrust } from '../listener/index.ts';
import { type Act, type Party, refusalOf } from './access.ts';
import { addressLimiter } from './address-limiter.ts';
import { GuardedStream, HOST_MESSAGE_RATE } from './guarded-stream.ts';
import { tokenFault } from './host-token.ts';
import { RetainedTree } from './retained-tree.ts';
import { type Passable, shortcutOf, topicFor } from './shortcut.ts';

/** A host that may connect. */
export interface AdmittedHost {
  readonly place: HostPlace;
  /** SPKI PEM. */
  readonly publicKey: string;
}

/** Says whether a host may connect now; `serial` of its certificate, where it showed one. Undefined = refused. */
export type Admit = (uid: string, serial: string | undefined) => Promise<AdmittedHost | undefined>;

/** A client tried an act that is not allowed; the connection was closed. */
export interface Refused {
  readonly uid: string | undefined;
  readonly address: string;
  readonly reason: string;
}

export interface EmbeddedBrokerSetting {
  readonly listen: { readonly host: string; readonly port: number };
  /** With it: TLS and client certificates. Without: plain, for loopback only, and tokens. */
  readonly tls: ServerIdentity | undefined;
  readonly admit: Admit;
  /** Off for load tests: connections per address and messages per host. */
  readonly rateLimits: boolean;
  /** Load balancers that say whose connections they pass on. */
  readonly proxies?: ProxyTrust;
  readonly onRefused: (refused: Refused) => void;
}

export interface EmbeddedBroker {
  readonly port: number;
  /** Sets the listener for the heartbeats of every host; without one the broker has them. */
  readonly onHeartbeat: (listener: (topic: string, payload: Buffer) => void) => void;
  /** A connection of the owner of a shard, inside the process. */
  readonly dial: (sh: string) => Duplex;
  /** A connection inside the process by which the broker itself is tried, apart from hosts and owners. */
  readonly dialProbe: (id: string) => Duplex;
  /** Ends the connection of a host, if there is one. */
  readonly kick: (uid: string) => void;
  /** A new certificate for connections from now on. */
  readonly renew: (tls: ServerIdentity) => void;
  readonly close: () => Promise<void>;
}

/** The listener that a client came by, and its identity after the check. */
interface Visit extends Passable {
  readonly access:
    | { readonly kind: 'owner'; readonly sh: string }
    | { readonly kind: 'probe'; readonly id: string }
    | { readonly kind: 'certificate' | 'token' };
  readonly address: string;
  readonly certificate: { readonly uid: string; readonly serial: string } | undefined;
  will: string | undefined;
  party: Party | undefined;
}

type InternalEntrance = Extract<Visit['access'], { readonly kind: 'owner' | 'probe' }>;
const isInside = (access: Visit['access']): access is InternalEntrance =>
  access.kind === 'owner' || access.kind === 'probe';

const CONNECTIONS_PER_SECOND = 20;
const GOODBYE_MS = 500;
const UID = /^[0-9a-z]{26}$/;

const notAuthorized = (reason: string): AuthenticateError =>
  Object.assign(new Error(reason), { returnCode: 5 }) as AuthenticateError;

/**
 * aedes 1.2 without every access that this product does not use (control plane, section 3.7). Its stores are in
 * memory; nothing durable is expected of it.
 */
export async function openEmbeddedBroker(setting: EmbeddedBrokerSetting): Promise<EmbeddedBroker> {
  const visits = new WeakMap<object, Visit>();
  const hosts = new Map<string, Client>();
  /** Topics with a message that not every subscriber has got: the broker acknowledges before it delivers. */
  const pendingTopics = new Set<string>();
  let heartbeatListener: ((topic: string, payload: Buffer) => void) | undefined;
  const visitOf = (client: Client): Visit | undefined => visits.get(client.conn);

  function refused(client: Client, reason: string): AuthenticateError {
    const visit = visitOf(client);
    const uid = client.id ?? undefined;
    // The probe asks for what is refused, to know that it is.
    if (visit?.access.kind !== 'probe') setting.onRefused({ uid, address: visit?.address ?? '', reason });
    return notAuthorized(reason);
  }

  /** Undefined = allowed. The broker's own messages have no client. */
  function check(client: Client | null, act: Act): Error | undefined {
    if (client === null) return undefined;
    const party = visitOf(client)?.party;
    const reason = party === undefined ? 'not signed in' : refusalOf(party, act);
    return reason === undefined ? undefined : refused(client, reason);
  }

  function countPending(client: Client, more: 1 | -1): void {
    const visit = visitOf(client);
    if (visit !== undefined) visit.inFlight += more;
  }

  async function signIn(client: Client, visit: Visit, username: string | undefined, password: string) {
    const uid = client.id;
    if (username !== uid) return 'the user name is not the client id';
    if (visit.certificate !== undefined && visit.certificate.uid !== uid)
      return `the certificate is that of ${visit.certificate.uid}`;
    const host = await setting.admit(uid, visit.certificate?.serial);
    if (host === undefined) return 'not a host that may connect';
    if (visit.access.kind === 'token') {
      const fault = await tokenFault(password, uid, host.publicKey);
      if (fault !== undefined) return fault;
    }
    const party: Party = { kind: 'host', place: host.place };
    if (visit.will !== undefined) {
      const will = refusalOf(party, { kind: 'publish', topic: visit.will, qos: 1, retain: true });
      if (will !== undefined) return `will: ${will}`;
    }
    visit.party = party;
    visit.heartbeats = topicFor(topicOf(host.place, 'up/hb'));
    return undefined;
  }

  const broker = await Aedes.createBroker({
    connectTimeout: 10_000,
    // No limit of messages under way. Messages that wait behind one are kept in an array from whose front each is taken, which with
    // thousands of hosts took more time than all else; and each that ends at once begins the next one deeper in the stack.
    concurrency: 0,
    // A frozen reader otherwise stops everybody.
    drainTimeout: 10_000,
    maxTopicLevels: 16,
    preConnect: (client, packet, done) => {
      const visit = visitOf(client);
      const reason = visit === undefined ? 'no access' : connectFault(visit, packet);
      // Always an error: `(null, false)` would leave the socket open for ever.
      if (reason !== undefined) return done(refused(client, reason), false);
      done(null, true);
    },
    authenticate: (client, username, password, done) => {
      const visit = visitOf(client);
      if (visit === undefined) return done(refused(client, 'no access'), false);
      if (isInside(visit.access)) {
        visit.party = visit.access;
        return done(null, true);
      }
      signIn(client, visit, username, password?.toString('utf8') ?? '').then(
        (reason) => (reason === undefined ? done(null, true) : done(refused(client, reason), false)),
        (error: Error) => done(refused(client, error.message), false),
      );
    },
    authorizePublish: (client, packet: PublishPacket, done) => {
      const { topic, qos, retain } = packet;
      const error = check(client, { kind: 'publish', topic, qos, retain });
      if (error === undefined && client !== null) {
        pendingTopics.add(packet.topic);
        countPending(client, 1);
      }
      done(error);
    },
    published: (packet, client, done) => {
      if (client !== null) {
        pendingTopics.delete(packet.topic);
        countPending(client, -1);
      }
      done();
    },
    authorizeSubscribe: (client, subscription, done) => {
      const error = check(client, { kind: 'subscribe', filter: subscription.topic, qos: subscription.qos });
      if (error === undefined) done(null, subscription);
      else done(error);
    },
    authorizeForward: (client, packet: AedesPublishPacket) => {
      const party = visitOf(client)?.party;
      const may =
        party !== undefined && refusalOf(party, { kind: 'receive', topic: packet.topic }) === undefined;
      return may ? packet : null;
    },
  });
  keepRetained(broker);
  broker.on('client', (client: Client) => {
    hosts.set(client.id, client);
    const visit = visitOf(client);
    if (visit !== undefined) visit.client = client;
  });
  broker.on('clientDisconnect', (client: Client) => {
    if (hosts.get(client.id) === client) hosts.delete(client.id);
  });
  broker.on('connectionError', (client: Client, error: Error) => reportTrouble(client, error));
  broker.on('clientError', (client: Client, error: Error) => reportTrouble(client, error));

  /** Reports the connections that the guard or the parser cut off; refusals were reported where they arose. */
  function reportTrouble(client: Client, error: Error): void {
    if ('returnCode' in error || 'code' in error || error.message === 'keep alive timeout') return;
    const visit = visitOf(client);
    if (visit?.access.kind === 'probe') return;
    setting.onRefused({ uid: client.id ?? undefined, address: visit?.address ?? '', reason: error.message });
  }

  const allowAddress = addressLimiter(CONNECTIONS_PER_SECOND);
  const sockets = new Set<Duplex>();

  function enter(inner: Duplex, who: Pick<Visit, 'access' | 'address' | 'certificate'>): void {
    const inside = isInside(who.access);
    const visit: Visit = {
      ...who,
      will: undefined,
      party: undefined,
      client: undefined,
      heartbeats: undefined,
      inFlight: 0,
    };
    const rate = setting.rateLimits && !inside ? HOST_MESSAGE_RATE : undefined;
    const straight = shortcutOf(visit, {
      listener: () => heartbeatListener,
      answer: (bytes) => guarded.write(bytes),
    });
    const guarded: GuardedStream = new GuardedStream(inner, rate, inside ? undefined : straight);
    visits.set(guarded, visit);
    sockets.add(inner);
    inner.once('close', () => sockets.delete(inner));
    broker.handle(guarded);
  }

  const welcome = (inner: Duplex & { remoteAddress?: string }, kind: 'certificate' | 'token'): void => {
    const address = inner.remoteAddress ?? '';
    if (setting.rateLimits && !allowAddress(address)) {
      setting.onRefused({ uid: undefined, address, reason: 'too many new connections' });
      inner.destroy();
      return;
    }
    sendAtOnce(inner);
    const certificate = kind === 'certificate' ? peerOf(inner as TLSSocket) : undefined;
    enter(inner, { access: { kind }, address, certificate });
  };

  const server = setting.tls === undefined ? createPlainServer() : tlsServer(setting.tls);
  server.on(setting.tls === undefined ? 'connection' : 'secureConnection', (socket: Duplex) =>
    welcome(socket, setting.tls === undefined ? 'token' : 'certificate'),
  );
  server.on('tlsClientError', (error: Error, socket: TLSSocket) =>
    setting.onRefused({
      uid: undefined,
      address: socket.remoteAddress ?? '',
      reason: `TLS: ${error.message}`,
    }),
  );
  const entrance = await listenOnAnyAddress(server, setting.listen, {}, setting.proxies);

  const enterInside = (access: InternalEntrance): Duplex => {
    const [near, far] = duplexPair();
    // A socket would notice that its other end is closed; a pair needs this event.
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    enter(far, { access, address: '', certificate: undefined });
    return near;
  };

  return {
    port: entrance.port,
    onHeartbeat: (listener) => {
      heartbeatListener = listener;
    },
    dial: (sh) => enterInside({ kind: 'owner', sh }),
    dialProbe: (id) => enterInside({ kind: 'probe', id }),
    kick: (uid) => hosts.get(uid)?.close(),
    renew: (tls) => {
      if ('setSecureContext' in server) (server as TlsServer).setSecureContext(tls);
    },
    close: async () => {
      const closed = entrance.close();
      // The owner's goodbye is the last word; whoever does not take it in time goes without.
      for (let waitedMs = 0; pendingTopics.size > 0 && waitedMs < GOODBYE_MS; waitedMs += 10)
        await setTimeout(10);
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A host that is dead is missed within one and a half of them. */
const MOST_KEEPALIVE_S = 60;

/** The fault of a CONNECT packet before anybody is asked for a password. */
function connectFault(visit: Visit, packet: ConnectPacket): string | undefined {
  if (packet.protocolId !== 'MQTT' || packet.protocolVersion !== 4) return 'only MQTT 3.1.1 is spoken here';
  if (visit.access.kind === 'owner')
    return packet.clientId === `cp-${visit.access.sh}` ? undefined : 'not the client id of the owner';
  if (visit.access.kind === 'probe')
    return packet.clientId.startsWith(visit.access.id) ? undefined : 'not the client id of the probe';
  if (!UID.test(packet.clientId)) return 'the client id is no uid';
  const { keepalive = 0 } = packet;
  if (keepalive === 0 || keepalive > MOST_KEEPALIVE_S)
    return `the keepalive of ${keepalive} s is not between 1 and ${MOST_KEEPALIVE_S} s`;
  if (!packet.clean) return 'only clean sessions are taken';
  if (packet.will === undefined) return undefined;
  const will = parseTopic(packet.will.topic);
  if (will?.leaf !== 'up/state' || will.uid !== packet.clientId || (packet.will.qos ?? 0) > 1)
    return `will on ${packet.will.topic}`;
  visit.will = packet.will.topic;
  return undefined;
}

function tlsServer(tls: ServerIdentity): TlsServer {
  return createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
}

function peerOf(socket: TLSSocket): { uid: string; serial: string } {
  const certificate = socket.getPeerCertificate();
  const name: unknown = certificate.subject?.CN;
  return { uid: typeof name === 'string' ? name : '', serial: certificate.serialNumber?.toLowerCase() ?? '' };
}

/** Its own store of retained messages gives way to one that finds them by their topics. */
function keepRetained(broker: Aedes): void {
  const { persistence } = broker as unknown as { readonly persistence: object };
  const tree = new RetainedTree<AedesPublishPacket>();
  Object.assign(persistence, {
    storeRetained: (packet: AedesPublishPacket) => tree.storeRetained(packet),
    createRetainedStream: (filter: string) => tree.createRetainedStream(filter),
    createRetainedStreamCombi: (filters: readonly string[]) => tree.createRetainedStreamCombi(filters),
  });
}
