import { AnswerAnalysis } from '../../answer/index.ts';
import { FRAME_MS } from '../../audio/index.ts';
import type { LegId, LegProfile, Listening, MediaEvent } from '../../control/index.ts';
import {
  ALARM_PROFILE,
  type DetectedStmf,
  type DetectedTone,
  DigitMerge,
  DtmfDetector,
  EVENT_DIGITS,
  IVR_PROFILE,
  type MergedDigit,
  StmfDetector,
  ToneBank,
} from '../../dtmf/index.ts';
import { EventReceiver, type ReceivedEvent, type RtpPacket, readTelephoneEvent } from '../../rtp/index.ts';
import { PauseWatch, type ReceivedFrames } from './pause-watch.ts';

/**
 * The detection of digits and tones on a leg.
 *
 * ```
 *   telephone-event packets > EventReceiver --.
 *                                             +--> DigitMerge --> report, relay
 *   frames > DtmfDetector --------------------'
 *                         > PauseWatch (alarm) ----------------> report
 *          > ToneBank, StmfDetector ----------------------------> report
 *          > AnswerAnalysis ------------------------------------> report, until a digit is heard
 * ```
 * Detectors exist only while a listener or a relay needs them. Events come without the delay of the jitter buffer;
 * their times are given with it, so that both sources have one clock.
 */
export class LegDigits {
  readonly #leg: LegId;
  readonly #profile: LegProfile;
  readonly #emit: (event: MediaEvent) => void;
  readonly #events: EventReceiver;
  readonly #merge: DigitMerge;
  #listening: Listening | null = null;
  #expectsEvents = false;
  #relay: ((edge: MergedDigit) => void) | null = null;
  #relayInband = false;
  #detector: DtmfDetector | null = null;
  #bank: ToneBank | null = null;
  #stmf: StmfDetector | null = null;
  #answer: AnswerAnalysis | null = null;
  #sounding = false;
  readonly #pause: PauseWatch;

  constructor(leg: LegId, profile: LegProfile, emit: (event: MediaEvent) => void) {
    this.#leg = leg;
    this.#profile = profile;
    this.#emit = emit;
    this.#events = new EventReceiver((event) => this.#onTelephoneEvent(event));
    this.#merge = new DigitMerge(false, (digit) => this.#onDigit(digit));
    this.#pause = new PauseWatch((atMs, forMs) => this.#emit({ kind: 'pause', leg, atMs, forMs }));
  }

  /** Whether frames are needed. */
  get active(): boolean {
    return this.#detector !== null || this.#bank !== null || this.#stmf !== null || this.#answer !== null;
  }

  /** Whether the level of what is sent is wanted: it may come back as echo. */
  get wantsSent(): boolean {
    return this.#answer !== null;
  }

  /** Whether a device says its alarm in the audio. */
  get hearsAlarm(): boolean {
    return this.#detector !== null && this.#listening?.profile === 'alarm';
  }

  /** Whether a digit sounds in the audio of this tick. */
  get sounding(): boolean {
    return this.#sounding;
  }

  /** A new description: telephone-event came or went. */
  negotiate(events: boolean): void {
    if (!events) this.#events.stop();
    this.#expectsEvents = events;
    this.#merge.negotiate(events);
  }

  listen(listening: Listening | null): void {
    this.#listening = listening;
    this.#pause.stop();
    const tones = listening?.tones ?? [];
    this.#bank = tones.length === 0 ? null : new ToneBank(tones, (tone) => this.#onTone(tone));
    const stmf = listening?.stmf;
    this.#stmf = stmf === undefined ? null : new StmfDetector(stmf, (event) => this.#onSequentialTone(event));
    this.#answer = listening?.answer === true ? this.#analysis() : null;
    this.#detector = null;
    this.#equip();
  }

  /** Level of what was sent in this tick, dBm0. */
  sent(dbm0: number): void {
    this.#answer?.sent(dbm0);
  }

  /** Sets the taker of each digit besides the listeners; null: none. @param inband those in the audio, too */
  relay(to: ((edge: MergedDigit) => void) | null, inband: boolean): void {
    this.#relay = to;
    this.#relayInband = inband;
    this.#equip();
  }

  /** A telephone-event packet was taken. @param streamMs time of the leg's stream at which its audio would be played */
  packet(packet: RtpPacket, bytes: Uint8Array, streamMs: number): void {
    const event = readTelephoneEvent(bytes, packet.payloadOffset, packet.payloadLength);
    if (event === null) return;
    if (!this.#expectsEvents) {
      // Its sender did not describe them, and now it shows that it sends them.
      this.#expectsEvents = true;
      this.#merge.negotiate(true);
    }
    this.#events.push(packet.ssrc, packet.timestamp, event, streamMs);
  }

  /** The frame of one tick. @param eventMs as for `packet` */
  tick(voice: ReceivedFrames, tick: number, eventMs: number): void {
    this.#detector?.push(voice.frame, tick, voice.lost);
    this.#stmf?.push(voice.frame, tick, voice.lost);
    if (this.#detector !== null) this.#pause.tick(tick, voice);
    this.#bank?.push(voice.frame, tick, voice.lost);
    this.#answer?.push(voice.frame, voice.speaking, voice.lost);
    if (this.#events.sounding) this.#events.tick(eventMs);
    if (this.#detector !== null) this.#merge.tick((tick + 1) * FRAME_MS);
  }

  /** The stream ended. */
  stop(): void {
    this.#events.stop();
  }

  #equip(): void {
    const wanted = this.#listening?.digits === true || (this.#relay !== null && this.#relayInband);
    if (!wanted) {
      this.#detector = null;
      this.#sounding = false;
    } else if (this.#detector === null) {
      const profile = this.#listening?.profile ?? (this.#profile === 'alarm' ? 'alarm' : 'ivr');
      this.#detector = new DtmfDetector(profile === 'alarm' ? ALARM_PROFILE : IVR_PROFILE, (event) => {
        this.#sounding = event.kind === 'begin';
        this.#merge.inband(event);
        if (event.kind === 'begin') this.#pause.stop();
        // Its length is uncertain by a frame where concealed audio lies at its edge.
        else this.#watchPause(event, event.torn, Math.max(event.lowDbm0, event.highDbm0));
      });
    }
  }

  #watchPause(
    { startMs, durationMs }: { readonly startMs: number; readonly durationMs: number },
    isUncertain: boolean,
    levelDbm0?: number,
  ): void {
    if (!this.hearsAlarm || this.#listening?.digits !== true) return;
    this.#pause.begin(startMs + durationMs + (isUncertain ? FRAME_MS : 0), levelDbm0);
  }

  #onTelephoneEvent(event: ReceivedEvent): void {
    const digit = EVENT_DIGITS[event.code];
    if (event.kind === 'begin') this.#pause.stop();
    else this.#watchPause(event, true);
    if (digit !== undefined) {
      this.#merge.event({ ...event, digit });
    } else if (event.kind === 'end') {
      const { code, startMs, durationMs } = event;
      this.#emit({ kind: 'signal', leg: this.#leg, code, atMs: startMs, durationMs });
    }
  }

  #analysis(): AnswerAnalysis {
    return new AnswerAnalysis((sign, atMs) => this.#emit({ kind: 'answerSign', leg: this.#leg, sign, atMs }));
  }

  #onDigit(edge: MergedDigit): void {
    this.#answer = null;
    this.#relay?.(edge);
    if (this.#listening?.digits !== true) return;
    const source = edge.source === 'event' ? 'rfc4733' : 'inband';
    const digit = { kind: 'digit', leg: this.#leg, digit: edge.digit, source, atMs: edge.startMs } as const;
    if (edge.kind === 'begin') this.#emit({ ...digit, edge: 'begin' });
    else this.#emit({ ...digit, edge: 'end', durationMs: edge.durationMs, ...levelsOf(edge) });
  }

  #onSequentialTone(event: DetectedStmf): void {
    if (event.kind !== 'end') this.#pause.stop();
    if (event.kind === 'sounds') return;
    const { digit, startMs: atMs } = event;
    const said = { kind: 'digit', leg: this.#leg, digit, source: 'inband', atMs } as const;
    if (event.kind === 'begin') {
      this.#emit({ ...said, edge: 'begin', stmf: 'heard' });
      return;
    }
    const { durationMs, how, rowDbm0: lowDbm0, columnDbm0: highDbm0 } = event;
    const measured = lowDbm0 === undefined || highDbm0 === undefined ? {} : levelsOf({ lowDbm0, highDbm0 });
    this.#emit({ ...said, edge: 'end', stmf: how, durationMs, ...measured });
    if (lowDbm0 !== undefined && highDbm0 !== undefined)
      this.#watchPause(event, event.torn, Math.max(lowDbm0, highDbm0));
  }

  #onTone(tone: DetectedTone): void {
    const event = { kind: 'tone', leg: this.#leg, frequencyHz: tone.hz, atMs: tone.startMs } as const;
    if (tone.kind === 'begin') this.#emit({ ...event, edge: 'begin' });
    else {
      this.#emit({ ...event, edge: 'end', durationMs: tone.durationMs, levelDbm0: tone.levelDbm0 });
    }
  }
}

interface Measured {
  readonly lowDbm0?: number;
  readonly highDbm0?: number;
  readonly noiseDbm0?: number;
}

const levelsOf = ({ lowDbm0, highDbm0, noiseDbm0 }: Measured) =>
  lowDbm0 === undefined || highDbm0 === undefined
    ? {}
    : {
        levelDbm0: Math.max(lowDbm0, highDbm0),
        twistDb: highDbm0 - lowDbm0,
        ...(noiseDbm0 !== undefined && { noiseDbm0 }),
      };
