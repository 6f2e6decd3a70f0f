import { FRAME_SAMPLES, Mixer, saturate } from '../../audio/index.ts';
import type { ConferenceSetting, LegId, ParticipantSetting } from '../../control/index.ts';
import { beep, ToneGenerator } from '../../dtmf/index.ts';
import type { Voice } from '../packet/port.ts';

/** A leg as a conference sees it. */
export interface Member extends Voice {
  readonly id: LegId;
  /** Which slice it is worked in. */
  readonly part: number;
  /** The prompt audio to it in this tick, while `prompting`. */
  readonly prompt: Int16Array;
  readonly prompting: boolean;
}

interface Participant {
  readonly member: Member;
  setting: ParticipantSetting;
  circle: Circle;
  /** Its frame is in the sum of this tick. */
  added: boolean;
}

/** Those who hear each other, and what they say in this tick. */
class Circle {
  readonly mixer = new Mixer();
  /** The first two voices, for when no sum is needed. */
  first: Member | null = null;
  second: Member | null = null;
  whispers = false;

  begin(): void {
    this.mixer.begin();
    this.first = null;
    this.second = null;
    this.whispers = false;
  }
}

/** Circle of those who name none. */
const OPEN = '';

/**
 * Some legs that hear each other.
 *
 * ```
 *                 is heard by          hears
 *   ordinary      all                  all but itself
 *   mute          none                 all
 *   hold          none                 nothing
 *   whisperTo x   x only               all
 *   monitor       none                 all, whispers, and what is played to them
 * ```
 * Those of a circle have only each other, and no beep; a monitor hears all circles.
 *
 * One sum per tick; with a single other voice its very frame is handed on. A member that still belongs to another slice
 * takes part from the next tick on: its frame would not be of this tick.
 */
export class Conference {
  readonly setting: ConferenceSetting;
  readonly part: number;
  readonly #participants = new Map<LegId, Participant>();
  readonly #circles = new Map<string, Circle>();
  readonly #everything = new Mixer();
  readonly #out = new Int16Array(FRAME_SAMPLES);
  readonly #beepFrame = new Int16Array(FRAME_SAMPLES);
  #beeping: ToneGenerator | null = null;
  #beeps = false;

  constructor(setting: ConferenceSetting, part: number) {
    this.setting = setting;
    this.part = part;
  }

  get members(): IterableIterator<LegId> {
    return this.#participants.keys();
  }

  get size(): number {
    return this.#participants.size;
  }

  has(leg: LegId): boolean {
    return this.#participants.has(leg);
  }

  /** Whether a monitor listens to the prompts of others. */
  get monitored(): boolean {
    for (const { setting } of this.#participants.values()) if (setting.monitor) return true;
    return false;
  }

  /** Whether one more may come; a member that only monitors, or has a circle of its own, takes no place. */
  hasRoom(participant: ParticipantSetting): boolean {
    const { maxParticipants } = this.setting;
    if (maxParticipants === undefined || !isOpen(participant)) return true;
    let ordinary = 0;
    for (const { setting } of this.#participants.values()) if (isOpen(setting)) ordinary++;
    return ordinary < maxParticipants;
  }

  join(member: Member, setting: ParticipantSetting): void {
    this.#participants.set(member.id, { member, setting, circle: this.#circle(setting), added: false });
    this.#sound(setting);
  }

  /** Only what is named changes. */
  change(leg: LegId, setting: ParticipantSetting): void {
    const participant = this.#participants.get(leg);
    if (!participant) return;
    participant.setting = { ...participant.setting, ...setting };
    participant.circle = this.#circle(participant.setting);
    this.#tidy();
  }

  #circle({ circle: name = OPEN }: ParticipantSetting): Circle {
    const circle = this.#circles.get(name) ?? new Circle();
    this.#circles.set(name, circle);
    return circle;
  }

  #tidy(): void {
    const used = new Set([...this.#participants.values()].map(({ circle }) => circle));
    for (const [name, circle] of this.#circles) if (!used.has(circle)) this.#circles.delete(name);
  }

  leave(leg: LegId): void {
    const participant = this.#participants.get(leg);
    if (!participant) return;
    this.#participants.delete(leg);
    this.#tidy();
    this.#sound(participant.setting);
  }

  isMonitor(leg: LegId): boolean {
    return this.#participants.get(leg)?.setting.monitor === true;
  }

  /** The members shall not notice a monitor. */
  #sound(setting: ParticipantSetting): void {
    if (this.setting.beep && isOpen(setting)) this.#beeping = new ToneGenerator(beep);
  }

  /** The sum of this tick: once, after all members have their frame. */
  mix(): void {
    for (const circle of this.#circles.values()) circle.begin();
    for (const participant of this.#participants.values()) this.#add(participant);
    this.#beeps = this.#beeping?.pull(this.#beepFrame) ?? false;
    if (!this.#beeps) this.#beeping = null;
  }

  #add(participant: Participant): void {
    const { member, setting, circle } = participant;
    participant.added = false;
    if (!this.#isAudible(participant)) return;
    if (setting.whisperTo) {
      circle.whispers = true;
      return;
    }
    participant.added = true;
    circle.mixer.add(member.frame);
    if (circle.first === null) circle.first = member;
    else if (circle.second === null) circle.second = member;
  }

  #isAudible({ member, setting }: Participant): boolean {
    if (!member.speaking || member.part !== this.part) return false;
    return setting.mute !== true && setting.hold !== true && setting.monitor !== true;
  }

  /** The frame for a member in this tick; null: silence. Valid until the next call. */
  hear(leg: LegId): Int16Array | null {
    const participant = this.#participants.get(leg);
    if (!participant || participant.setting.hold) return null;
    if (participant.setting.monitor) return this.#hearEverything();
    const { circle, setting } = participant;
    const beeps = this.#beeps && setting.circle === undefined;
    const extra = beeps || circle.whispers;
    const others = circle.mixer.talking - (participant.added ? 1 : 0);
    if (!extra && others === 0) return null;
    if (!extra && others === 1) {
      const other = circle.first === participant.member ? circle.second : circle.first;
      return other?.frame ?? null;
    }
    circle.mixer.hear(participant.added ? participant.member.frame : null, this.#out);
    if (beeps) this.#over(this.#beepFrame);
    if (circle.whispers) this.#addWhispers(leg, circle);
    return this.#out;
  }

  #addWhispers(to: LegId, circle: Circle): void {
    for (const participant of this.#participants.values()) {
      const isForMe =
        participant.setting.whisperTo === to && participant.member.id !== to && participant.circle === circle;
      if (isForMe && this.#isAudible(participant)) this.#over(participant.member.frame);
    }
  }

  #hearEverything(): Int16Array {
    this.#everything.begin();
    for (const participant of this.#participants.values()) {
      const { member, setting } = participant;
      if (this.#isAudible(participant)) this.#everything.add(member.frame);
      if (member.prompting && member.part === this.part && setting.monitor !== true) {
        this.#everything.add(member.prompt);
      }
    }
    this.#everything.hear(null, this.#out);
    return this.#out;
  }

  #over(frame: Int16Array): void {
    const out = this.#out;
    for (let i = 0; i < FRAME_SAMPLES; i++) out[i] = saturate((out[i] ?? 0) + (frame[i] ?? 0));
  }
}

const isOpen = ({ monitor, circle }: ParticipantSetting): boolean => monitor !== true && circle === undefined;
