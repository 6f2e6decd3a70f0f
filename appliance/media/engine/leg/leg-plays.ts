import { applyGain, FRAME_SAMPLES, factorOf, saturate } from '../../audio/index.ts';
import type { LegId, MediaEvent, PlayId, PlayPlan, PreparedPrompt } from '../../control/index.ts';
import type { PlayOutlet } from './phrase.ts';
import { Player } from './player.ts';

interface Play {
  readonly id: PlayId;
  readonly player: Player;
  readonly over: PlayPlan['over'];
  /** Factor of a `beneath` while another play is heard. */
  readonly ducked: number;
  readonly isDigits: boolean;
  /** Another leg has the same: it is no part of the prompt audio. */
  readonly isShared: boolean;
}

/** Chosen: speech is understood above music that is so much softer, dB. */
const DUCKING_DB = 12;

/**
 * Everything that plays on one leg, in layers: the oldest at the bottom.
 *
 * ```
 *   mixed      (newest)   added
 *   instead               what counts begins here: the newest `instead`, but digits come before everything
 *   instead, mixed        wait, and go on where they were when it is over
 *   live, and quiet       not there: what lies beneath it is heard
 *   beneath               added to `instead`, softer; alone in its own volume; waits while a tone or digits play
 *   connection, conference
 * ```
 */
export class LegPlays {
  /** The prompt audio of this tick, without the audio of the others; valid while `prompting`. */
  readonly prompt = new Int16Array(FRAME_SAMPLES);
  prompting = false;

  readonly #leg: LegId;
  readonly #outlet: PlayOutlet;
  readonly #emit: (event: MediaEvent) => void;
  readonly #plays: Play[] = [];
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #layer = new Int16Array(FRAME_SAMPLES);
  /** Anything is heard in this tick. */
  #sounds = false;

  constructor(leg: LegId, outlet: PlayOutlet, emit: (event: MediaEvent) => void) {
    this.#leg = leg;
    this.#outlet = outlet;
    this.#emit = emit;
  }

  get idle(): boolean {
    return this.#plays.length === 0;
  }

  has(id: PlayId): boolean {
    return this.#plays.some((play) => play.id === id);
  }

  play(id: PlayId, plan: PlayPlan): void {
    const { over, duckingDb = DUCKING_DB, shared: isShared = false } = plan;
    const player = new Player(plan, this.#outlet);
    this.#plays.push({ id, player, over, ducked: factorOf(-duckingDb), isDigits: false, isShared });
  }

  sendDigits(id: PlayId, player: Player): void {
    this.#plays.push({ id, player, over: 'instead', ducked: 1, isDigits: true, isShared: false });
  }

  supply(id: PlayId, name: string, prompt: PreparedPrompt | null): void {
    this.#plays.find((play) => play.id === id)?.player.supply(name, prompt);
  }

  stop(id: PlayId): void {
    const play = this.#plays.find((one) => one.id === id);
    if (play === undefined) return;
    play.player.stop();
    this.#finish(play);
  }

  /** Where the ready-made bytes of this tick are, after `ready` said yes. */
  readyBytes: Uint8Array = new Uint8Array(0);
  readyAt = 0;

  /** Takes a tick of ready-made bytes when one prompt plays alone; false when samples are needed. */
  ready(kind: number): boolean {
    const play = this.#plays[0];
    if (this.#plays.length !== 1 || play === undefined || play.over !== 'instead') return false;
    const bytes = play.player.ready(kind);
    if (bytes === null) return false;
    this.readyBytes = bytes;
    this.readyAt = play.player.readyAt;
    if (play.player.done) this.#finish(play);
    return true;
  }

  /** The frame of this tick: what plays over `beneath` (null: silence). */
  pull(beneath: Int16Array | null): Int16Array | null {
    const from = this.#pullInstead();
    const hasInstead = from >= 0;
    this.prompting = hasInstead && this.#plays[from]?.isShared !== true;
    if (this.prompting) this.prompt.set(this.#frame);
    if (!hasInstead && (beneath === null || this.#hasBeneath)) this.#frame.fill(0);
    else if (!hasInstead && beneath !== null) this.#frame.set(beneath);
    this.#sounds = hasInstead || beneath !== null;
    this.#pullBeneath(this.#plays[from]);
    for (let index = Math.max(0, from); index < this.#plays.length; index++) {
      const play = this.#plays[index];
      if (play === undefined || play.over !== 'mixed' || play.player.isQuiet) continue;
      play.player.pull(this.#layer);
      this.#addLayer(play.isShared);
    }
    this.#finishDone();
    return this.#sounds ? this.#frame : null;
  }

  get #hasBeneath(): boolean {
    return this.#plays.some(({ over }) => over === 'beneath');
  }

  /** Adds what plays beneath `above`. A receiver of tones and digits hears them alone (media 11). */
  #pullBeneath(above: Play | undefined): void {
    if (above?.isDigits === true || above?.player.isTone === true) return;
    const speaks = above !== undefined && !above.player.isWaiting;
    for (const play of this.#plays) {
      if (play.over !== 'beneath') continue;
      play.player.pull(this.#layer);
      if (speaks) applyGain(this.#layer, play.ducked);
      this.#addLayer(false);
    }
  }

  #addLayer(isShared: boolean): void {
    this.#sounds = true;
    if (!isShared && !this.prompting) this.prompt.fill(0);
    this.prompting ||= !isShared;
    const [frame, prompt, layer] = [this.#frame, this.prompt, this.#layer];
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = layer[i] ?? 0;
      frame[i] = saturate((frame[i] ?? 0) + sample);
      if (!isShared) prompt[i] = saturate((prompt[i] ?? 0) + sample);
    }
  }

  /** Pulls the layer that replaces all beneath it; answers its index, −1 without one. */
  #pullInstead(): number {
    for (;;) {
      const index = this.#lowest();
      const play = this.#plays[index];
      if (play === undefined) return -1;
      if (play.player.pull(this.#frame) > 0) return index;
      // It was over already: what lies beneath has its turn in the same tick.
      this.#finish(play);
    }
  }

  #lowest(): number {
    const digits = this.#plays.findIndex(({ isDigits }) => isDigits);
    if (digits >= 0) return digits;
    return this.#plays.findLastIndex(({ over, player }) => over === 'instead' && !player.isQuiet);
  }

  #finishDone(): void {
    for (let index = this.#plays.length - 1; index >= 0; index--) {
      const play = this.#plays[index];
      if (play?.player.done) this.#finish(play);
    }
  }

  #finish(play: Play): void {
    this.#plays.splice(this.#plays.indexOf(play), 1);
    const { id, player } = play;
    if (play.isDigits) this.#emit({ kind: 'digitsSent', leg: this.#leg, play: id });
    else this.#emit({ kind: 'played', leg: this.#leg, play: id, results: player.results });
  }
}
