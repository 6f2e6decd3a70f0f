import { levelOf } from '../../audio/index.ts';
import type { LegId, LegStream, MediaEvent, SignOfLife } from '../../control/index.ts';
import type { LegReceive } from './leg-receive.ts';
import type { LegRtcp } from './leg-rtcp.ts';
import { receives } from './leg-stream.ts';

/** Chosen: a working peer does not pause that long in mid-call. */
const RTP_TIMEOUT_MS = 10_000;
/** RFC 3550 6.3.5: a sender is lost after five intervals without a report. */
const REPORTS_OVER_MS = 25_000;
/** A peer that changes its SSRC all the time is reported once a second. */
const SSRC_REPORT_MS = 1_000;
const SILENT_DBM0 = -40;
const FRAME_MS = 20;

/**
 * Watches whether a peer sends, or does not.
 *
 * ```
 *   waiting --first packet--> rtpStarted
 *   alive --nothing valid for 10 s while it should send--> rtpTimeout --a packet, or nothing is expected--> rtpResumed, alive
 *                                                          `--its reports were a sign of life, and stay out for 25 s--> reportsEnded
 * ```
 * While the peer holds us (`recvonly`) reports count as life, too: it may send no music. Where it should send, the
 * timeout names them, or comfort noise, as a sign of life; the call decides.
 */
export class LegWatch {
  readonly #leg: LegId;
  readonly #receive: LegReceive;
  readonly #rtcp: LegRtcp;
  readonly #emit: (event: MediaEvent) => void;
  #receiving = false;
  #reportsCount = false;
  #sinceMs = 0;
  #started = false;
  #timedOutMs = Number.NaN;
  #aliveBy: SignOfLife | undefined;
  #ssrcChanges = 0;
  #ssrcReportedMs = Number.NEGATIVE_INFINITY;
  #silenceMs: number | null = null;
  #silentMs = 0;

  constructor(leg: LegId, receive: LegReceive, rtcp: LegRtcp, emit: (event: MediaEvent) => void) {
    this.#leg = leg;
    this.#receive = receive;
    this.#rtcp = rtcp;
    this.#emit = emit;
  }

  update(stream: LegStream | null, nowMs: number): void {
    const receiving = receives(stream) && stream?.remote.port !== 0;
    if (receiving && !this.#receiving) this.#sinceMs = nowMs;
    this.#receiving = receiving;
    if (!receiving && !Number.isNaN(this.#timedOutMs)) this.#resumed();
    this.#reportsCount = stream?.direction === 'recvonly';
  }

  /** Report once after this much silence; null: no longer. */
  watchSilence(forMs: number | null): void {
    this.#silenceMs = forMs;
    this.#silentMs = 0;
  }

  get watchesSilence(): boolean {
    return this.#silenceMs !== null;
  }

  tick(nowMs: number): void {
    const leg = this.#leg;
    if (!this.#started && this.#receive.reception.received > 0) {
      this.#started = true;
      this.#emit({ kind: 'rtpStarted', leg });
    }
    this.#watchLife(nowMs);
    this.#watchSsrc(nowMs);
    if (this.#receive.srtp.failed) {
      this.#receive.srtp.failed = false;
      this.#emit({ kind: 'srtpFailed', leg });
    }
    if (this.#silenceMs !== null) this.#watchSilence(this.#silenceMs);
  }

  #watchLife(nowMs: number): void {
    const packetMs = this.#receive.reception.lastMs;
    const lifeMs = this.#reportsCount ? Math.max(packetMs, this.#rtcp.lastMs) : packetMs;
    if (!Number.isNaN(this.#timedOutMs)) {
      if (lifeMs >= this.#timedOutMs) this.#resumed();
      else if (this.#aliveBy === 'reports' && !this.#reports(nowMs)) {
        this.#aliveBy = undefined;
        this.#emit({ kind: 'reportsEnded', leg: this.#leg });
      }
    } else if (this.#receiving && nowMs - Math.max(lifeMs, this.#sinceMs) >= RTP_TIMEOUT_MS) {
      this.#timedOutMs = nowMs;
      this.#aliveBy = this.#signOfLife(nowMs);
      const sign = this.#aliveBy === undefined ? {} : { aliveBy: this.#aliveBy };
      this.#emit({ kind: 'rtpTimeout', leg: this.#leg, ...sign });
    }
  }

  #signOfLife(nowMs: number): SignOfLife | undefined {
    if (this.#reports(nowMs)) return 'reports';
    return this.#receive.endsInNoise ? 'comfortNoise' : undefined;
  }

  #reports(nowMs: number): boolean {
    return nowMs - this.#rtcp.lastMs < REPORTS_OVER_MS;
  }

  #resumed(): void {
    this.#timedOutMs = Number.NaN;
    this.#emit({ kind: 'rtpResumed', leg: this.#leg });
  }

  #watchSsrc(nowMs: number): void {
    const changes = this.#receive.reception.ssrcChanges;
    if (changes === this.#ssrcChanges || nowMs - this.#ssrcReportedMs < SSRC_REPORT_MS) return;
    this.#ssrcChanges = changes;
    this.#ssrcReportedMs = nowMs;
    this.#emit({ kind: 'ssrcChange', leg: this.#leg });
  }

  #watchSilence(forMs: number): void {
    const { speaking, frame } = this.#receive;
    const isLoud = speaking && levelOf(frame) >= SILENT_DBM0;
    this.#silentMs = isLoud ? 0 : this.#silentMs + FRAME_MS;
    if (this.#silentMs < forMs) return;
    this.#silenceMs = null;
    this.#emit({ kind: 'silence', leg: this.#leg, forMs });
  }
}
