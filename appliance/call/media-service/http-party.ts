import type { RemoteCrypto } from '#shared/contract/callback/index.ts';
import type { LegId, Media, MediaEvent, VoiceCodec } from '../../media/control/index.ts';
import type { DialWords, ParticipantId } from '../media-session/index.ts';
import { type NearEnd, type Settled, settle } from './far-end.ts';
import type { PartyInput } from './party-leg.ts';

export interface HttpPartyDependencies extends NearEnd {
  readonly media: Media;
  readonly run: (work: Promise<unknown>) => void;
  readonly tell: (input: PartyInput) => void;
  /** Sets the listener for events of the media engine about this leg; undefined: none any more. */
  readonly listens: (leg: LegId, heard: ((event: MediaEvent) => void) | undefined) => void;
}

/** Its fields in callAnswered (media document 6). */
interface RtpFacts {
  readonly codec: VoiceCodec;
  readonly remoteRtpIp: string;
  readonly remoteRtpPort: number;
  readonly crypto?: readonly RemoteCrypto[];
}

/**
 * The application as a participant (action `httpcall`): it said in its answer where it hears, callAnswered tells it where to
 * speak. A media leg without SIP; what rings, answers and hangs up for others is done by operations here.
 */
export class HttpParty {
  readonly participant: ParticipantId;
  readonly user: string;
  /** It has no call, no dialog and no session timer. */
  readonly call = undefined;
  readonly sipCallId = undefined;
  readonly expiresS = undefined;
  readonly headersNotSent: readonly string[] = [];
  readonly #dependencies: HttpPartyDependencies;
  #leg: LegId | undefined;
  #rtp: RtpFacts | undefined;
  #over = false;

  constructor(participant: ParticipantId, user: string, dependencies: HttpPartyDependencies) {
    this.participant = participant;
    this.user = user;
    this.#dependencies = dependencies;
  }

  /** Its audio, once it is settled. */
  get leg(): LegId | undefined {
    return this.#over || this.#rtp === undefined ? undefined : this.#leg;
  }

  get rtp(): RtpFacts | undefined {
    return this.#rtp;
  }

  /** Takes a port and the application's side; `answered` or `failed` follows. */
  async open({ codec, receiveIp, receivePort, ...more }: DialWords, near: LegId | undefined): Promise<void> {
    if (codec === undefined || receiveIp === undefined || receivePort === undefined) {
      this.#failed(488, 'codec, receiveIp and receivePort are needed for httpcall');
      return;
    }
    const settled = settle({ codec, receiveIp, receivePort, ...more }, this.#dependencies);
    if (!settled.ok) {
      this.#failed(488, settled.error.reason);
      return;
    }
    const { media } = this.#dependencies;
    const leg = `${this.participant} http`;
    const opened = await media.openLeg({
      leg,
      profile: 'ordinary',
      family: settled.value.family,
      ...(near !== undefined && { near }),
    });
    if (!opened.ok) {
      this.#failed(503, opened.error.reason);
      return;
    }
    this.#leg = leg;
    this.#dependencies.listens(leg, (event) => this.#onMediaEvent(event));
    if (this.#over) this.#close();
    else await this.#settle(leg, opened.value.port, settled.value);
  }

  async #settle(leg: LegId, remoteRtpPort: number, settled: Settled): Promise<void> {
    const { stream, crypto, address: remoteRtpIp } = settled;
    const { media, tell } = this.#dependencies;
    const updated = await media.updateLeg(leg, stream);
    if (this.#over) return;
    if (!updated.ok) {
      this.#close();
      this.#failed(488, updated.error.reason);
      return;
    }
    this.#rtp = { codec: stream.send.codec, remoteRtpIp, remoteRtpPort, ...(crypto && { crypto }) };
    tell({ kind: 'answered', participant: this.participant });
  }

  /** From here on it reports nothing. */
  drop(_status: number | undefined): void {
    this.#over = true;
    if (this.#leg !== undefined) this.#close();
  }

  /** Without effect: an application by RTP has no ringing and no offers, and hears the audio as it comes. */
  ring(): void {}

  accept(): void {}

  direct(): void {}

  /**
   * Keys it presses are digits like those of a telephone: of the IVR it is connected to, by event or in band. Chosen: no audio
   * from it does not end the call, as with a cloud SIP user agent; an application may do nothing but listen.
   */
  #onMediaEvent(event: MediaEvent): void {
    const { participant } = this;
    if (this.#over) return;
    if (event.kind === 'digit' && event.edge === 'begin')
      this.#dependencies.tell({ kind: 'digit', participant, digit: event.digit });
    else if (event.kind === 'silence') this.#dependencies.tell({ kind: 'silent', participant });
    else if (event.kind === 'lost') {
      this.#over = true;
      this.#dependencies.tell({ kind: 'gone', participant, why: 'mediaLost' });
      this.#close();
    }
  }

  #close(): void {
    const { media, run, listens } = this.#dependencies;
    if (this.#leg === undefined) return;
    listens(this.#leg, undefined);
    run(media.closeLeg(this.#leg));
    this.#leg = undefined;
  }

  #failed(status: number, reason: string): void {
    const { participant } = this;
    if (!this.#over) this.#dependencies.tell({ kind: 'failed', participant, status, reason });
  }
}
