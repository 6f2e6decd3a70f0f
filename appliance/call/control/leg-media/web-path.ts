import { ok, type Result } from '#shared/result.ts';
import type { OpenLeg } from '../../../media/control/index.ts';
import {
  answeredSetup,
  describeTransport,
  type OpenWebRtc,
  readCandidate,
  readTransport,
  type UdpAddress,
  type WebRtc,
  type WebRtcFault,
  type WebRtcId,
  type WebRtcTransport,
} from '../../../media/webrtc/index.ts';
import {
  type IceFragment,
  type LegPlan,
  MOST_CANDIDATES,
  type SecureTransport,
} from '../../../sip/sdp/index.ts';
import { familyOf } from './address.ts';

/** One ICE and DTLS connection of a leg. */
interface Connection {
  readonly id: WebRtcId;
  readonly opened: OpenWebRtc;
  /** The transport that the peer has described. */
  remote: SecureTransport | undefined;
  /** Ours in the handshake, once it is settled: later answers repeat it, later offers leave it open (RFC 8842, 5). */
  role: 'active' | 'passive' | undefined;
  begun: boolean;
  /** No other fork may answer it any more: the peer has offered it, or our offer of it has its final answer. */
  settled: boolean;
  /** Candidates that the peer has sent since its description. */
  trickled: Set<string>;
}

export interface WebPathDependencies {
  readonly leg: string;
  readonly webrtc: WebRtc;
  /** Family of our address towards the peer. */
  readonly family: 4 | 6;
  readonly run: (work: Promise<unknown>) => void;
}

/** Forks whose addresses are kept while another one is heard: a proxy rings no more telephones than a person has. */
const MOST_FORKS = 16;

/** The attributes of a connection in a description of ours. */
export type WebLegPlan = Required<Pick<LegPlan, 'address' | 'port' | 'transport'>>;

/*
 * The WebRTC side of one leg: which connection there is, and which one an open offer asks for.
 *
 *   +------+ prepare  +----------+ use      +---------+ begin (both descriptions are out)
 *   | none | -------> | prepared | -------> | current | --▶ checks, handshake
 *   +------+          +----------+          +---------+
 *                          ^                     | the peer offers with other names: ICE restart (RFC 8839, 4.4.1.1.1)
 *                          +---------------------+ the one of before goes on until the new one is in use
 *
 * Our offer may fork, and each fork has names and a certificate of its own: the first that answers is connected, so that it is
 * heard while it rings; when another one wins, the same connection of ours turns to that. The addresses that the others tell until then
 * are kept for whoever wins.
 */
export class WebPath {
  readonly #dependencies: WebPathDependencies;
  /** Where the media leg is; known once it is open. */
  #leg: UdpAddress = { host: '', port: 0 };
  #source = '';
  #current: Connection | undefined;
  #prepared: Connection | undefined;
  /** Why the latest offer cannot be served. */
  #unfit: { readonly remote: SecureTransport; readonly reason: string } | undefined;
  /** Candidates sent since by each fork that waits, by its ICE session. */
  readonly #waiting = new Map<string, Set<string>>();
  #serial = 0;
  #closed = false;

  constructor(dependencies: WebPathDependencies) {
    this.#dependencies = dependencies;
  }

  /** The media leg is open: packets of the peer go to this port. */
  at({ port, source: { ssrc, cname } }: OpenLeg): void {
    this.#leg = { host: this.#dependencies.family === 4 ? '127.0.0.1' : '::1', port };
    this.#source = `${ssrc} cname:${cname}`;
  }

  /** Does this offer of the peer need a connection that is not there yet? */
  wants(remote: SecureTransport): boolean {
    return this.#connectionOf(remote) === undefined && this.reasonAgainst(remote) === undefined;
  }

  /** A connection for an offer of the peer, or for one of ours. `reasonAgainst` names the fault of a refused description. */
  async prepare(remote?: SecureTransport): Promise<Result<undefined, WebRtcFault>> {
    const read = remote === undefined ? undefined : readTransport(remote);
    this.#unfit = undefined;
    if (remote !== undefined && read?.ok === false) {
      this.#unfit = { remote, reason: read.error.reason };
      return ok(undefined);
    }
    const { leg, webrtc } = this.#dependencies;
    const id = nameOf(leg, ++this.#serial);
    const ownCertificate = this.#serial > 1;
    const theirs: WebRtcTransport | undefined = read?.ok === true ? read.value : undefined;
    const opened = await webrtc.open({
      id,
      leg: this.#leg,
      ownCertificate,
      ...(theirs && { remote: theirs }),
    });
    if (!opened.ok) return opened;
    const role = remote === undefined ? undefined : answered(remote);
    const settled = remote !== undefined;
    const connection: Connection = {
      ...{ id, opened: opened.value, remote, role, settled },
      begun: false,
      trickled: new Set(),
    };
    if (this.#closed) this.#release(connection);
    else {
      if (this.#prepared !== undefined) this.#release(this.#prepared);
      this.#prepared = connection;
    }
    return ok(undefined);
  }

  /** Why an offer with this in it cannot be served; undefined: it can. */
  reasonAgainst(remote: SecureTransport): string | undefined {
    return this.#unfit !== undefined && isSame(this.#unfit.remote, remote) ? this.#unfit.reason : undefined;
  }

  /** For our next offer; undefined: this leg has no WebRTC. */
  offering(): WebLegPlan | undefined {
    const connection = this.#current ?? this.#prepared;
    return connection && this.#planOf(connection, 'actpass');
  }

  /** For our answer to an offer of the peer. */
  answering(remote: SecureTransport): WebLegPlan | undefined {
    const connection = this.#connectionOf(remote);
    return connection && this.#planOf(connection, connection.role ?? answered(remote));
  }

  /**
   * Is our offer answered by another fork, so that this early answer must wait until it has won? The candidates that it
   * sends from now on wait with it.
   */
  waits(remote: SecureTransport | undefined): boolean {
    const taken = this.#current?.remote;
    if (taken === undefined || (remote !== undefined && isSame(taken, remote))) return false;
    const session = remote && sessionOf(remote);
    if (session !== undefined && !this.#waiting.has(session) && this.#waiting.size < MOST_FORKS)
      this.#waiting.set(session, new Set());
    return true;
  }

  /**
   * An offer and its answer are settled, with the peer's side; undefined: without WebRTC. Connections that are not in use any
   * more are closed. `final`: no other fork will answer.
   *
   * @returns the reason why it cannot be
   */
  use(remote: SecureTransport | undefined, final = true): string | undefined {
    const connection = remote && (this.#connectionOf(remote) ?? this.#unanswered());
    const before = new Set([this.#current, this.#prepared]);
    const waited = remote && this.#waiting.get(sessionOf(remote));
    if (final) this.#waiting.clear();
    this.#current = connection;
    this.#prepared = undefined;
    for (const each of before) if (each !== undefined && each !== connection) this.#release(each);
    if (remote === undefined) return undefined;
    if (connection === undefined) return 'the answer belongs to another connection than was offered';
    if (connection.remote !== undefined && !isSame(connection.remote, remote)) {
      connection.begun = false;
      connection.role = undefined;
      connection.trickled = waited ?? new Set();
    }
    connection.remote = remote;
    connection.settled ||= final;
    connection.role ??= answered(remote);
    return undefined;
  }

  /** Both descriptions are out. Gives the address the media leg is to talk to. */
  async begin(): Promise<Result<UdpAddress>> {
    const connection = this.#current;
    if (connection?.remote === undefined)
      return { ok: false, error: { code: 'Failed', reason: 'there is no WebRTC connection' } };
    if (!connection.begun) {
      connection.begun = true;
      const { candidates } = connection.remote;
      const remote = readTransport({
        ...connection.remote,
        candidates: [...candidates, ...connection.trickled],
      });
      if (!remote.ok) return remote;
      const accepted = await this.#dependencies.webrtc.accept(connection.id, remote.value);
      if (!accepted.ok) return accepted;
    }
    return ok(connection.opened.bridge);
  }

  /**
   * Addresses the peer has found since it described itself: tried at once, or kept until its connection begins. False: they
   * are those of no connection of ours, or of one that a restart has replaced. That no others follow ends nothing: its checks
   * may still come from an address that it has not named (RFC 8863 4).
   */
  trickled(fragment: IceFragment): boolean {
    const session = sessionOf(fragment);
    const connection = [this.#prepared, this.#current].find(
      (each) => each?.remote !== undefined && sessionOf(each.remote) === session,
    );
    const known = connection?.trickled ?? this.#waiting.get(session);
    if (known === undefined) return false;
    for (const value of fragment.candidates) {
      if (known.has(value) || known.size === MOST_CANDIDATES) continue;
      known.add(value);
      const candidate = connection?.begun === true ? readCandidate(value) : undefined;
      if (connection !== undefined && candidate !== undefined)
        this.#dependencies.run(this.#dependencies.webrtc.addCandidate(connection.id, candidate));
    }
    return true;
  }

  /** Is this the connection in use? */
  uses(id: WebRtcId): boolean {
    return this.#current?.id === id;
  }

  close(): void {
    this.#closed = true;
    for (const each of [this.#current, this.#prepared]) if (each !== undefined) this.#release(each);
    this.#current = undefined;
    this.#prepared = undefined;
  }

  #release({ id }: Connection): void {
    this.#dependencies.run(this.#dependencies.webrtc.close(id));
  }

  #connectionOf(remote: SecureTransport): Connection | undefined {
    return [this.#current, this.#prepared].find(
      (each) => each?.remote !== undefined && isSame(each.remote, remote),
    );
  }

  /** Our connection that is offered, without an answer or with answers of forks that may still lose. */
  #unanswered(): Connection | undefined {
    return [this.#prepared, this.#current].find((each) => each !== undefined && !each.settled);
  }

  #planOf({ opened }: Connection, setup: SecureTransport['setup']): WebLegPlan {
    const { candidates } = opened.local;
    const shown =
      candidates.find(({ host }) => familyOf(host) === this.#dependencies.family) ?? candidates[0];
    const { host, port } = shown ?? { host: '0.0.0.0', port: 9 };
    return {
      address: { family: familyOf(host), host },
      port,
      transport: { ...describeTransport(opened.local), setup, source: this.#source },
    };
  }
}

/** Connections are named after their leg, one after the other. */
const nameOf = (leg: string, serial: number): WebRtcId => `${leg}/${serial}`;
export const legOf = (id: WebRtcId): string => id.slice(0, id.lastIndexOf('/'));

/** Our role by what the peer says: to an answer of `active` it is `passive`. */
const answered = ({ setup }: SecureTransport): 'active' | 'passive' =>
  answeredSetup(setup) === 'passive' ? 'passive' : 'active';

/** Names of an ICE session; both may hold any sign but a blank (RFC 8839 5.4). */
const sessionOf = ({ ufrag, pwd }: Pick<SecureTransport, 'ufrag' | 'pwd'>): string => `${ufrag} ${pwd}`;

/** The same ICE session and the same certificate: nothing is to be connected again (RFC 8842, 4). */
const isSame = (a: SecureTransport, b: SecureTransport): boolean =>
  sessionOf(a) === sessionOf(b) && a.fingerprints.join() === b.fingerprints.join();
