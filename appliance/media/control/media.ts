import type { Listeners } from '#shared/listeners.ts';
import type { Result } from '#shared/result.ts';
import type { MediaEvent } from './event.ts';
import type {
  ConferenceId,
  LegId,
  LegOpening,
  LegStatistics,
  LegStream,
  OpenLeg,
  PlayId,
  TapId,
} from './leg.ts';
import type { DigitRelay, Listening } from './listen.ts';
import type { DigitSending, PlayPlan, PreparedPrompt } from './play.ts';
import type { TapSetting } from './tap.ts';

/**
 * `Overload`: no new leg fits now (SIP 503). `NoPort`: `CARILLON_RTP_PORTS` is used up. `Unknown`: no such leg. `Refused`:
 * the stream cannot be served, the reason says why. `Lost`: the worker of the leg has died.
 */
export interface MediaFault {
  readonly code: 'Overload' | 'NoPort' | 'Unknown' | 'Refused' | 'Lost';
  readonly reason: string;
  /** For a leg that found no room: when there may be some, and the room that there is now. */
  readonly retryAfterS?: number;
  readonly freeLegs?: FreeLegs;
}

/** Legs that could be opened now. */
export interface FreeLegs {
  readonly ordinary: number;
  /** These and the ordinary ones are of the same room: an alarm takes either. */
  readonly alarm: number;
}
type Done = Promise<Result<undefined, MediaFault>>;

export interface ConferenceSetting {
  readonly conference: ConferenceId;
  /** Tone when a participant joins or leaves. */
  readonly beep: boolean;
  readonly maxParticipants?: number;
}

export interface ParticipantSetting {
  readonly mute?: boolean;
  /** Neither hears nor is heard. */
  readonly hold?: boolean;
  /** Only this participant hears it; null: all again. */
  readonly whisperTo?: LegId | null;
  /** Only those of the same circle hear each other; absent: the open one. */
  readonly circle?: string;
  /** Hears everything, is never heard and never recorded. */
  readonly monitor?: boolean;
}

/**
 * The media engine as the runtime sees it. Commands are answered in order per leg; none of them waits for the network.
 * Everybody who listens to `events` hears all of them and takes those of its own legs. A leg is closed once and keeps nothing afterwards.
 */
export interface Media {
  openLeg(opening: LegOpening): Promise<Result<OpenLeg, MediaFault>>;
  /** After each offer and answer; null: nothing is agreed (yet), the leg neither sends nor receives. */
  updateLeg(leg: LegId, stream: LegStream | null): Done;
  closeLeg(leg: LegId): Promise<Result<LegStatistics, MediaFault>>;
  stats(leg: LegId): Promise<Result<LegStatistics, MediaFault>>;

  /** Each of the two hears the other. A leg is in one connection at most; connecting it again leaves the old one. */
  connect(a: LegId, b: LegId, relay?: { readonly aToB?: DigitRelay; readonly bToA?: DigitRelay }): Done;
  disconnect(leg: LegId): Done;
  /** The leg hears itself. */
  echo(leg: LegId, on: boolean): Done;

  play(leg: LegId, play: PlayId, plan: PlayPlan): Done;
  /** Gives a phrase of kind `awaited` its audio; null: it failed, `error` is its result. */
  supply(leg: LegId, play: PlayId, name: string, prompt: PreparedPrompt | null): Done;
  /** Takes effect in the next slice. */
  stop(leg: LegId, play: PlayId): Done;
  /** `digitsSent` follows under this name. While tones go to a leg nothing is mixed into them. */
  sendDigits(leg: LegId, play: PlayId, sending: DigitSending): Done;

  /** null: there is no listener any more. */
  listen(leg: LegId, listening: Listening | null): Done;
  /** Report once when the peer was silent for this long, ms; null: no longer. */
  watchSilence(leg: LegId, forMs: number | null): Done;

  createConference(setting: ConferenceSetting): Done;
  join(conference: ConferenceId, leg: LegId, participant: ParticipantSetting): Done;
  change(conference: ConferenceId, leg: LegId, participant: ParticipantSetting): Done;
  leave(conference: ConferenceId, leg: LegId): Done;
  endConference(conference: ConferenceId): Done;

  tap(tap: TapId, setting: TapSetting): Done;
  /** Writes silence while paused. */
  pauseTap(tap: TapId, paused: boolean): Done;
  untap(tap: TapId): Done;

  readonly events: Listeners<[event: MediaEvent]>;
}

export interface MediaPorts {
  /** The audio of every call. */
  readonly media: Media;
}
