import { Candidate, Connection } from 'werift';
import {
  answeredSetup,
  type DtlsSetup,
  type IceCandidate,
  kindOf,
  type OpenWebRtc,
  readCandidate,
  type WebRtcEvent,
  type WebRtcFigures,
  type WebRtcOpening,
  type WebRtcTransport,
} from '../../media/webrtc/index.ts';
import { Bridge } from './bridge.ts';
import type { DtlsCertificate } from './certificate.ts';
import { Handshake } from './handshake.ts';
import type { WebRtcThreadSetting } from './webrtc-message.ts';

/** Chosen: from both descriptions to keys; browsers give up after as long. Ringing may take longer: it comes before. */
const CONNECT_MS = 15_000;

/**
 * One WebRTC leg.
 *
 * ```
 *   open: gather ──▶ waiting ── accept ──▶ checks ──▶ handshake ──▶ connected ──▶ closed
 *                          ▲                  └────────────┴── 15 s, refused ──▶ failed
 *                          └── accept with another peer: a fork of our offer has won over the one before
 * ```
 */
export class Peer {
  readonly #opening: WebRtcOpening;
  readonly #certificate: DtlsCertificate;
  readonly #tell: (event: WebRtcEvent) => void;
  readonly #ice: Connection;
  #bridge: Bridge | undefined;
  #handshake: Handshake | undefined;
  /** The ICE name of the peer that it is accepted for. */
  #ufrag: string | undefined;
  /** Datagrams of a peer that began its handshake before our checks were through. */
  #early: Buffer[] = [];
  #over = false;

  constructor(
    opening: WebRtcOpening,
    setting: WebRtcThreadSetting,
    certificate: DtlsCertificate,
    tell: (event: WebRtcEvent) => void,
  ) {
    this.#opening = opening;
    this.#certificate = certificate;
    this.#tell = tell;
    // RFC 8445, 6.1.1: who offers controls, unless the other is lite.
    const controlling = opening.remote === undefined || opening.remote.iceLite;
    this.#ice = new Connection(controlling, {
      useIpv6: setting.ipv6,
      additionalHostAddresses: [...setting.extraHosts],
      ...(setting.ports === undefined ? {} : { portRange: [setting.ports.from, setting.ports.to] }),
      // A sender that does not know both names gets no answer.
      filterStunResponse: (message) =>
        message.getAttributeValue('USERNAME') === `${this.#ice.localUsername}:${this.#ice.remoteUsername}`,
    });
    // Without a server the library asks one on the Internet for our address. This removes it, so that it asks none.
    delete this.#ice.stunServer;
  }

  async open(): Promise<OpenWebRtc> {
    const { leg, remote } = this.#opening;
    this.#bridge = await Bridge.open(leg, (packet) => void this.#ice.send(packet).catch(() => undefined));
    await this.#ice.gatherCandidates();
    if (this.#ice.localCandidates.length === 0)
      throw new Error('no address or no free port of ours to offer');
    this.#ice.onData.subscribe((datagram) => this.#take(datagram));
    const setup: DtlsSetup = remote === undefined ? 'actpass' : answeredSetup(remote.setup);
    const local: WebRtcTransport = {
      ufrag: this.#ice.localUsername,
      pwd: this.#ice.localPassword,
      iceLite: false,
      fingerprints: [this.#certificate.fingerprint],
      setup,
      candidates: this.#ice.localCandidates.flatMap((each) => readCandidate(each.toSdp()) ?? []),
    };
    return { local, bridge: this.#bridge.address };
  }

  /** The answer to our offer, or the offer that ours answers: both sides know each other now. */
  accept(remote: WebRtcTransport): void {
    if (remote.ufrag === this.#ufrag) return;
    if (this.#ufrag !== undefined) this.#turn();
    this.#ufrag = remote.ufrag;
    this.#connect(remote, answeredSetup(remote.setup));
  }

  /**
   * Another fork has answered our offer, and counts instead of the one before. It got the same ports, names and certificate:
   * those stay, and checks and handshake begin again. The library's restart keeps the sockets and changes the names.
   */
  #turn(): void {
    const { localUsername, localPassword, localCandidates } = this.#ice;
    this.#bridge?.rest();
    this.#early = [];
    // It is done when it returns.
    void this.#ice.restart();
    Object.assign(this.#ice, { localUsername, localPassword, localCandidates, localCandidatesEnd: true });
    for (const candidate of localCandidates) candidate.ufrag = localUsername;
  }

  addCandidate({ foundation, priority, host, port, kind }: IceCandidate): void {
    const candidate = new Candidate(foundation, 1, 'udp', priority, host, port, kind);
    this.#ice.addRemoteCandidate(candidate).catch(() => undefined);
  }

  async close(): Promise<WebRtcFigures> {
    this.#over = true;
    const figures = this.#bridge?.figures ?? { sent: 0, received: 0, rejected: 0, dropped: 0 };
    this.#bridge?.close();
    this.#bridge = undefined;
    await this.#ice.close();
    return figures;
  }

  /** @param setup ours */
  #connect(remote: WebRtcTransport, setup: DtlsSetup): void {
    const { ufrag, pwd, iceLite } = remote;
    this.#ice.setRemoteParams({ usernameFragment: ufrag, password: pwd, iceLite });
    for (const candidate of remote.candidates) this.addCandidate(candidate);
    this.#handshake = new Handshake(this.#ice, {
      role: setup === 'active' ? 'client' : 'server',
      certificate: this.#certificate,
      remoteFingerprints: remote.fingerprints,
    });
    void this.#establish(this.#handshake);
  }

  async #establish(handshake: Handshake): Promise<void> {
    let step = 'no address of the peer answered';
    const fail = (reason: string): void => {
      // The result of a fork that has lost is of no interest.
      if (this.#handshake === handshake) this.#fail(reason);
    };
    const late = setTimeout(() => fail(`${step} within ${CONNECT_MS} ms`), CONNECT_MS);
    try {
      // Checks of a fork before may still be waited for within the library, and take the news of ours.
      const connected = this.#ice.stateChanged.watch((state) => state === 'connected');
      await Promise.race([this.#ice.connect(), connected]);
      if (this.#handshake !== handshake) return;
      step = 'the handshake was not finished';
      const keys = handshake.keys();
      for (const datagram of this.#early.splice(0)) handshake.take(datagram);
      this.#early = [];
      const masters = await keys;
      if (this.#over || this.#handshake !== handshake) return;
      this.#bridge?.use(masters);
      handshake.onClose(() => fail('the peer has closed'));
      this.#ice.stateChanged.subscribe((state) => {
        if (state === 'failed') fail('the peer does not answer any more');
      });
      this.#tell({ kind: 'connected', id: this.#opening.id });
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      clearTimeout(late);
    }
  }

  #take(datagram: Buffer): void {
    switch (kindOf(datagram)) {
      case 'dtls':
        if (this.#ice.state === 'connected') this.#handshake?.take(datagram);
        else if (this.#early.length < 16) this.#early.push(datagram);
        return;
      case 'rtp':
      case 'rtcp':
        this.#bridge?.fromPeer(datagram);
        return;
      default:
        return;
    }
  }

  #fail(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#tell({ kind: 'failed', id: this.#opening.id, reason });
  }
}
