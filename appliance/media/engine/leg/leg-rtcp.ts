import type { LegStream } from '../../control/index.ts';
import {
  Latch,
  middleOfNtp,
  ntpOf,
  type ReportBlock,
  type RtcpPacket,
  type RtcpPart,
  readRtcp,
  roundTripMs,
  writeRtcp,
} from '../../rtp/index.ts';
import type { LegPorts } from '../packet/port.ts';
import type { LegReceive } from './leg-receive.ts';
import type { LegSend } from './leg-send.ts';
import { latchRuleOf } from './leg-stream.ts';

/** RFC 3550, 6.2: every 5 s, spread by half to either side so that reports of many legs never meet. */
const INTERVAL_MS = 5_000;
const DATAGRAM_BYTES = 512;

/**
 * Reports of one leg (RFC 3550, 6): SR while we send, else RR, with CNAME; BYE at the end. The reports of the peer give the
 * round trip. Without RTCP from the peer everything else works.
 */
export class LegRtcp {
  readonly latch = new Latch(1);
  /** The time of the last valid report, monotonic. */
  lastMs = Number.NEGATIVE_INFINITY;
  roundTripMs: number | undefined;
  malformed = 0;
  foreign = 0;
  readonly cname: string;

  readonly #ports: LegPorts;
  readonly #receive: LegReceive;
  readonly #send: LegSend;
  readonly #wallOffsetMs: number;
  readonly #bytes = new Uint8Array(DATAGRAM_BYTES);
  /** Spreads the reports; a number of its own per leg, stepped like a generator. */
  #spread: number;
  #mux = false;
  #active = false;
  #dueMs = Number.POSITIVE_INFINITY;
  #sentPackets = 0;
  #lastSenderReport = 0;
  #lastSenderReportMs = 0;

  constructor(ports: LegPorts, receive: LegReceive, send: LegSend, wallOffsetMs: number, random: Uint8Array) {
    this.#ports = ports;
    this.#receive = receive;
    this.#send = send;
    this.#wallOffsetMs = wallOffsetMs;
    this.cname = Buffer.from(random.subarray(0, 12)).toString('base64url');
    this.#spread = new DataView(random.buffer, random.byteOffset + 12, 4).getUint32(0);
  }

  update(stream: LegStream | null, nowMs: number): void {
    this.#active = stream !== null;
    if (stream === null) return;
    this.#mux = stream.rtcpMux;
    this.latch.describe(stream.remote.host, stream.remote.rtcpPort, latchRuleOf(stream));
    if (this.#dueMs === Number.POSITIVE_INFINITY) this.#schedule(nowMs);
  }

  /** A datagram of the RTCP port, or RTCP on the RTP port. */
  packet(bytes: Uint8Array, host: string, port: number, onRtpPort: boolean, nowMs: number): void {
    if (!this.#active || onRtpPort !== this.#mux) {
      this.foreign++;
      return;
    }
    const isKnown = onRtpPort ? this.#receive.latch.concerns(host, port) : this.latch.concerns(host, port);
    if (!isKnown) {
      this.foreign++;
      return;
    }
    const length = this.#receive.srtp.unprotectRtcp(bytes);
    if (length < 0) return;
    const read = readRtcp(bytes, length);
    const first = read.ok ? read.value[0] : undefined;
    if (!read.ok || first === undefined || !('ssrc' in first)) {
      this.malformed++;
      return;
    }
    if (!onRtpPort && !this.#mayReport(host, port, first.ssrc, nowMs)) {
      this.foreign++;
      return;
    }
    this.lastMs = nowMs;
    for (const part of read.value) this.#learn(part, nowMs);
  }

  /** The signalled source, or one that reports about the stream we hear. */
  #mayReport(host: string, port: number, ssrc: number, nowMs: number): boolean {
    const isSignalled = host === this.latch.host && port === this.latch.port;
    if (!isSignalled && ssrc !== this.#receive.reception.ssrc) return false;
    return this.latch.judge(host, port, ssrc, 0, nowMs) === 'taken';
  }

  #learn(part: RtcpPacket, nowMs: number): void {
    // RFC 3550 6.6: who says that it leaves is not kept alive by saying so.
    if (part.kind === 'bye') this.lastMs = Number.NEGATIVE_INFINITY;
    if (part.kind === 'senderReport') {
      this.#lastSenderReport = middleOfNtp(part.ntpSeconds, part.ntpFraction);
      this.#lastSenderReportMs = nowMs;
    }
    if (part.kind !== 'senderReport' && part.kind !== 'receiverReport') return;
    const ours = part.reports.find(({ ssrc }) => ssrc === this.#send.ssrc);
    const tripMs = ours === undefined ? null : roundTripMs(ours, nowMs + this.#wallOffsetMs);
    if (tripMs !== null) this.roundTripMs = tripMs;
  }

  /** Sends a report when it is time. @param tick of the leg's own clock */
  tick(tick: number, nowMs: number): void {
    if (nowMs < this.#dueMs) return;
    this.#schedule(nowMs);
    if (this.#active) this.#report(this.#send.timestampOf(tick), nowMs, false);
  }

  /** The last word. */
  bye(tick: number, nowMs: number): void {
    if (this.#active) this.#report(this.#send.timestampOf(tick), nowMs, true);
    this.#active = false;
  }

  #schedule(nowMs: number): void {
    this.#spread = (Math.imul(this.#spread, 1_664_525) + 1_013_904_223) >>> 0;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + this.#spread / 0x1_0000_0000);
  }

  #report(timestamp: number, nowMs: number, bye: boolean): void {
    const { host, port } = this.#mux ? this.#receive.latch : this.latch;
    if (port === 0) return;
    const { ssrc, packets, bytes: octets } = this.#send;
    const reports = this.#blocks(nowMs);
    const sent = packets !== this.#sentPackets;
    this.#sentPackets = packets;
    const ntp = ntpOf(nowMs + this.#wallOffsetMs);
    const parts: RtcpPart[] = [
      sent
        ? { kind: 'senderReport', ssrc, ...ntp, timestamp, packets, octets, reports }
        : { kind: 'receiverReport', ssrc, reports },
      { kind: 'description', chunks: [{ ssrc, cname: this.cname }] },
    ];
    if (bye) parts.push({ kind: 'bye', sources: [ssrc], reason: '' });
    const length = this.#send.protectRtcp(this.#bytes, writeRtcp(parts, this.#bytes));
    if (length <= 0) return;
    const out = this.#mux ? this.#ports.rtp : this.#ports.rtcp;
    out.send(this.#bytes.subarray(0, length), host, port);
  }

  #blocks(nowMs: number): ReportBlock[] {
    const { ssrc, stream } = this.#receive.reception;
    if (ssrc < 0) return [];
    const known = this.#lastSenderReport !== 0;
    const delay = known ? Math.round(((nowMs - this.#lastSenderReportMs) * 65_536) / 1_000) >>> 0 : 0;
    const lastSenderReport = this.#lastSenderReport;
    return [{ ssrc, ...stream.report(), lastSenderReport, delaySinceLast: delay }];
  }
}
