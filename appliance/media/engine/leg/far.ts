import { FRAME_SAMPLES, type RingMemory, RingWriter } from '../../audio/index.ts';
import type { DigitRelay, LegId } from '../../control/index.ts';
import type { Conference, Member } from '../mix/conference.ts';
import { type LinkEnd, type Mark, packMark, unpackMark } from '../packet/link.ts';
import { LinkReceiver } from '../packet/link-receiver.ts';
import type { Voice } from '../packet/port.ts';
import { DigitPassing, type RelayedDigit, type RelayTarget, takesTones } from '../packet/relay.ts';
import type { LegDigits } from './leg-digits.ts';

const SILENCE = new Int16Array(FRAME_SAMPLES);

/** The part of the leg here that a far partner needs. */
export interface NearLeg extends Voice, RelayTarget {
  readonly digits: LegDigits;
  readonly prompt: Int16Array;
  readonly prompting: boolean;
}

/** Writes frames with their marks; an edge that finds the ring full waits for the next frame. */
class LinkMouth {
  lost = 0;
  readonly #ring: RingWriter;
  readonly #edges: NonNullable<Mark['edge']>[] = [];

  constructor(memory: RingMemory) {
    this.#ring = new RingWriter(memory);
  }

  tell({ kind, digit, source, durationMs = 0 }: RelayedDigit): void {
    this.#edges.push({ kind, digit, source, durationMs });
  }

  push(frame: Int16Array | null, takesEvents: boolean): void {
    const mark = { speaking: frame !== null, takesEvents, edge: this.#edges[0] ?? null };
    if (this.#ring.write(frame ?? SILENCE, packMark(mark))) this.#edges.shift();
    else this.lost++;
  }
}

/**
 * The partner of a leg when it is on another worker, be it a leg or a whole conference.
 *
 * ```
 *   hear()   pull: ring ──> frame, what digits the other side heard ──> DigitPassing ──> this leg
 *   speak()  push: frame of this leg, its digits ──> ring; what is played to it ──> ring of prompts
 * ```
 * The worker that heard a digit takes its tone out of the audio; the worker of the receiving leg passes the digit on.
 */
export class FarPartner implements Voice {
  readonly wantsPrompts: boolean;
  readonly #leg: NearLeg;
  readonly #receiver: LinkReceiver;
  readonly #mouth: LinkMouth;
  readonly #prompts: LinkMouth | null;
  /** How digits of this leg go there; null: they do not. */
  readonly #as: DigitRelay['as'] | null;
  readonly #passing: DigitPassing | null;
  #otherTakesEvents = false;

  constructor(leg: NearLeg, { says, hears, prompts, relay }: LinkEnd) {
    this.#leg = leg;
    this.#mouth = new LinkMouth(says);
    this.#prompts = prompts === undefined ? null : new LinkMouth(prompts);
    this.wantsPrompts = prompts !== undefined;
    this.#as = relay?.out.as ?? null;
    this.#passing = relay === undefined ? null : new DigitPassing(relay.in.as, leg);
    this.#receiver = new LinkReceiver(hears, (word) => this.#marked(word));
    this.#listen();
  }

  get frame(): Int16Array {
    return this.#receiver.frame;
  }

  get speaking(): boolean {
    return this.#receiver.speaking;
  }

  /** Frames the other worker was too slow for. */
  get lost(): number {
    return this.#mouth.lost + (this.#prompts?.lost ?? 0);
  }

  pull(): void {
    this.#receiver.pull();
  }

  push(): void {
    const { digits, speaking, frame, eventDigits, prompt, prompting } = this.#leg;
    const isTaken = this.#takesTones && digits.sounding;
    this.#mouth.push(speaking && !isTaken ? frame : null, eventDigits !== '');
    this.#prompts?.push(prompting ? prompt : null, false);
  }

  /** It is over: nothing keeps sounding here. */
  end(): void {
    this.#passing?.end();
    this.#leg.digits.relay(null, false);
  }

  get #takesTones(): boolean {
    return this.#as !== null && takesTones(this.#as, this.#otherTakesEvents);
  }

  #listen(): void {
    if (this.#as !== null) this.#leg.digits.relay((edge) => this.#mouth.tell(edge), this.#takesTones);
  }

  #marked(word: number): boolean {
    const { speaking, takesEvents, edge } = unpackMark(word);
    if (takesEvents !== this.#otherTakesEvents) {
      this.#otherTakesEvents = takesEvents;
      this.#listen();
    }
    if (edge !== null) this.#passing?.edge(edge);
    return speaking;
  }
}

/** A participant whose leg is on another worker. */
export class FarMember implements Member {
  readonly id: LegId;
  readonly conference: Conference;
  readonly #receiver: LinkReceiver;
  readonly #prompts: LinkReceiver | null;
  readonly #mouth: LinkMouth;

  constructor(id: LegId, conference: Conference, { says, hears, prompts }: LinkEnd) {
    this.id = id;
    this.conference = conference;
    this.#mouth = new LinkMouth(says);
    const isSpeaking = (word: number) => unpackMark(word).speaking;
    this.#receiver = new LinkReceiver(hears, isSpeaking);
    this.#prompts = prompts === undefined ? null : new LinkReceiver(prompts, isSpeaking);
  }

  /** Its voice is there when the conference is mixed, whatever slice that is. */
  get part(): number {
    return this.conference.part;
  }

  get frame(): Int16Array {
    return this.#receiver.frame;
  }

  get speaking(): boolean {
    return this.#receiver.speaking;
  }

  get prompt(): Int16Array {
    return this.#prompts?.frame ?? SILENCE;
  }

  get prompting(): boolean {
    return this.#prompts?.speaking === true;
  }

  get lost(): number {
    return this.#mouth.lost;
  }

  pull(): void {
    this.#receiver.pull();
    this.#prompts?.pull();
  }

  push(): void {
    this.#mouth.push(this.conference.hear(this.id), false);
  }
}
