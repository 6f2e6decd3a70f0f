import type { WebRtc, WebRtcTransport } from '#appliance/media/webrtc/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { fail, ok } from '#shared/result.ts';
import type { Telephone } from './telephone.ts';

/** Ports of the connections, in the order they were opened. */
export const BRIDGE = 40_000;

/** Connections that do what the test says; what is asked of them is kept, by leg and number. */
export function connections() {
  const asked: string[] = [];
  const short = (id: string): string => id.slice(id.lastIndexOf('.') + 1);
  let opened = 0;
  const local: WebRtcTransport = {
    ufrag: 'ours',
    pwd: 'ours-is-twenty-two-long'.replaceAll('-', 'x'),
    iceLite: false,
    fingerprints: [{ algorithm: 'sha-256', hash: new Uint8Array(32).fill(0xab) }],
    setup: 'actpass',
    candidates: [{ foundation: '1', priority: 9, host: '192.0.2.10', port: 30_001, kind: 'host' }],
  };
  const webrtc: WebRtc = {
    open({ id, remote, ownCertificate }) {
      asked.push(
        `open ${short(id)}${remote === undefined ? '' : ` for ${remote.ufrag}`}${ownCertificate ? ' anew' : ''}`,
      );
      names.push(id);
      if (double.refuses) return Promise.resolve(fail('Failed', 'no port is free'));
      return Promise.resolve(ok({ local, bridge: { host: '127.0.0.1', port: BRIDGE + opened++ } }));
    },
    accept(id, { ufrag, candidates }) {
      const at = candidates.map(({ host, port }) => ` at ${host}:${port}`).join('');
      asked.push(`accept ${short(id)} from ${ufrag}${at}`);
      return Promise.resolve(ok(undefined));
    },
    addCandidate(id, { host, port }) {
      asked.push(`candidate ${short(id)} ${host}:${port}`);
      return Promise.resolve(ok(undefined));
    },
    close(id) {
      asked.push(`close ${short(id)}`);
      return Promise.resolve(ok({ sent: 0, received: 0, rejected: 0, dropped: 0 }));
    },
    events: new Listeners(),
  };
  const names: string[] = [];
  const double = { webrtc, asked, names, refuses: false };
  return double;
}

const SHA_256 = `sha-256 ${Array(32).fill('CD').join(':')}`;

/** As browsers describe their audio; their only address is hidden behind a name. */
export function browserSdp(
  phone: Telephone,
  parts: {
    ufrag?: string;
    setup?: string;
    fingerprint?: string;
    direction?: 'sendonly';
    version?: number;
  } = {},
): string {
  const { ufrag = 'first', setup = 'actpass', fingerprint = SHA_256, direction, version = 1 } = parts;
  const sdp = phone.describe({
    protocol: 'UDP/TLS/RTP/SAVPF',
    formats: '111 0 8 101',
    version,
    ...(direction && { direction }),
    lines: [
      'a=rtpmap:111 opus/48000/2',
      `a=ice-ufrag:${ufrag}`,
      `a=ice-pwd:${'p'.repeat(24)}`,
      `a=fingerprint:${fingerprint}`,
      `a=setup:${setup}`,
      'a=mid:0',
      'a=rtcp-mux',
      'a=candidate:1 1 udp 2113937151 4f3b2c1d-0000-4000-8000-000000000000.local 50000 typ host generation 0',
    ],
  });
  return sdp.replace('t=0 0', 't=0 0\r\na=group:BUNDLE 0');
}
