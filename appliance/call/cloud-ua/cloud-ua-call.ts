import { type RemoteCrypto, remoteCallNotedSchema } from '#shared/contract/callback/index.ts';
import type { ReplicatedCloudSipUa } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ChainOutcome } from '../../delivery/callback/index.ts';
import { cloudSipUaDestination } from '../../delivery/delivery-service.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { LegId, Media, MediaFault, VoiceCodec } from '../../media/control/index.ts';
import type { OperationFailure, RemoteCallGain } from '../../operation/index.ts';
import {
  type CallbackOrigin,
  familyOf,
  type MediaCallbacks,
  type PartyInput,
  type PartyLeg,
  type Settled,
} from '../media-service/index.ts';

/** How far it is. `Opening`: no audio yet. `Ringing`: the caller waits. `Calling`: a party is being called. */
type Phase = 'Opening' | 'Ringing' | 'Answering' | 'Calling' | 'Talking' | 'Over';
export type RemoteTimer = 'ring' | 'duration';
export type Done = Result<RemoteCallGain | undefined, OperationFailure>;

/** Chosen: as long as a caller waits for anybody, and as long as two may talk. */
const RING_MS = 180_000;
const LONGEST_MS = 24 * 3_600_000;
const BUSY = 486;

/** The caller and the callee. */
export interface CloudUaCallInfo {
  readonly sourceUser: string;
  readonly displayName?: string;
  readonly destinationUri: string;
  readonly destinationUser: string;
}

export interface CloudUaCallDependencies {
  readonly media: Media;
  readonly callbacks: MediaCallbacks;
  readonly run: (work: Promise<unknown>) => void;
  readonly turn: (work: () => void) => void;
  /** Where the application sends its RTP, before it has said what it speaks. */
  readonly address: string;
  readonly start: (session: CloudUaCall, timer: RemoteTimer, ms: number) => void;
  readonly over: (session: CloudUaCall) => void;
}

/*
 * One call of a cloud SIP user agent. On one side the SIP leg of the other party, on the other a media leg without SIP:
 * the application describes its end of it by operations.
 *
 *   a call comes ─▶ Opening ─ leg open: newRemoteCall ─▶ Ringing ─ answerremotecall ─▶ Answering ─ ACK ─▶ Talking
 *   placeremotecall ─────────────────────────────────▶ Calling ─ callNotify … ─ 2xx: callAnswered ──▶ Talking
 *   every state ─ hangupcall, the party leaves, too long ─▶ Over: callHungup; Calling without an answer: callFailed
 */
export class CloudUaCall {
  readonly id: string;
  readonly agent: ReplicatedCloudSipUa;
  readonly trace: SessionTrace;
  readonly facts: CloudUaCallInfo;
  /** The SIP side. */
  readonly participant: string;
  party: PartyLeg | undefined;
  reference: string | undefined;
  #phase: Phase;
  readonly #inbound: boolean;
  readonly #dependencies: CloudUaCallDependencies;
  #leg: LegId;
  /** Legs that the application's audio has had. */
  #legs = 1;
  #address: string;
  #port = 0;
  #codec: VoiceCodec = 'PCMA';
  #callId: string | undefined;
  #seq = 0;
  #rang = 0;
  #digits = 0;

  constructor(
    id: string,
    known: {
      readonly agent: ReplicatedCloudSipUa;
      readonly trace: SessionTrace;
      readonly facts: CloudUaCallInfo;
      /** Call-ID of the INVITE that came; absent: we call. */
      readonly callId?: string;
    },
    dependencies: CloudUaCallDependencies,
  ) {
    this.id = id;
    this.agent = known.agent;
    this.trace = known.trace;
    this.facts = known.facts;
    this.#leg = `${id}.ua`;
    this.#address = dependencies.address;
    this.participant = `${id}-p1`;
    this.#callId = known.callId;
    this.#inbound = known.callId !== undefined;
    this.#phase = this.#inbound ? 'Opening' : 'Calling';
    this.#dependencies = dependencies;
  }

  /** The application's audio. */
  get leg(): LegId {
    return this.#leg;
  }

  get over(): boolean {
    return this.#phase === 'Over';
  }

  /** The application's leg is open: it is asked, and the caller hears nothing until it says so. */
  opened(port: number, codec: 'PCMA' | 'PCMU', keys: readonly RemoteCrypto[], eventType: number): void {
    this.#port = port;
    this.#phase = 'Ringing';
    this.#dependencies.start(this, 'ring', RING_MS);
    const { callbacks, run, turn } = this.#dependencies;
    const asked = callbacks.live('newRemoteCall', this.#origin(), {
      ...this.#said(),
      participantId: this.participant,
      ...(this.facts.displayName !== undefined && { displayName: this.facts.displayName }),
      codec,
      remoteRtpIp: this.#address,
      remoteRtpPort: port,
      telephoneEventPayloadType: eventType,
      crypto: keys,
    });
    run(asked.then((outcome) => turn(() => this.#noted(outcome))));
  }

  /** The application could not be asked: unless it has answered meanwhile, the caller is let go. */
  #noted(outcome: ChainOutcome): void {
    if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300)
      this.reference ??= referenceIn(outcome.body);
    else if (this.#phase === 'Ringing') this.#leave(480, 'callbackFailed');
  }

  ringback(): Done {
    if (this.#phase !== 'Ringing') return this.#notRinging();
    this.party?.ring(180, false);
    return ok(undefined);
  }

  async answer(settled: Settled, reference: string | undefined): Promise<Done> {
    if (this.#phase !== 'Ringing') return this.#notRinging();
    this.#phase = 'Answering';
    const { media, turn } = this.#dependencies;
    const speaking = await this.#speaking(settled);
    const updated = speaking.ok ? await media.updateLeg(this.#leg, settled.stream) : speaking;
    if (this.over) return fail('conflict', 'the caller has left');
    if (!updated.ok) {
      this.#phase = 'Ringing';
      return fail('conflict', updated.error.reason);
    }
    this.#codec = settled.stream.send.codec;
    this.reference = reference ?? this.reference;
    turn(() => {
      this.party?.accept();
      this.#join();
    });
    return ok(this.gain(settled));
  }

  /** The leg was opened before the application said what it speaks: one of the other family takes its place. */
  async #speaking({ address, family }: Settled): Promise<Result<undefined, MediaFault>> {
    if (familyOf(address) === familyOf(this.#address)) return ok(undefined);
    const { media, run } = this.#dependencies;
    const leg = `${this.id}.ua${++this.#legs}`;
    const near = this.party?.leg;
    const opened = await media.openLeg({ leg, profile: 'ordinary', family, ...(near && { near }) });
    if (!opened.ok) return opened;
    // Its caller left meanwhile, and the leg before is closed already.
    run(media.closeLeg(this.over ? leg : this.#leg));
    if (this.over) return ok(undefined);
    this.#leg = leg;
    this.#address = address;
    this.#port = opened.value.port;
    return ok(undefined);
  }

  /** It is called; the application's leg is open and settled. */
  placed({ address, port }: { readonly address: string; readonly port: number }, codec: VoiceCodec): void {
    this.#address = address;
    this.#port = port;
    this.#codec = codec;
  }

  /** Everything about our end that the application must know. */
  gain({ stream, crypto }: Settled): RemoteCallGain {
    return {
      localIp: this.#address,
      localPort: this.#port,
      codec: stream.send.codec,
      ...(crypto && { crypto }),
    };
  }

  /** Busy before the answer, else a CANCEL or a BYE. */
  hangUp(reason = 'hungUpByApplication'): Done {
    if (this.over) return fail('conflict', 'the call is over');
    const waits = this.party?.call.session.phase === 'Arrived';
    this.#leave(waits ? BUSY : undefined, reason);
    return ok(undefined);
  }

  timer(timer: RemoteTimer): void {
    if (timer === 'duration') this.hangUp('maxDuration');
    else if (this.#phase === 'Ringing') this.#leave(480, 'notAnswered');
  }

  /** No audio could be opened for it. */
  refuse(status: number): void {
    this.party?.drop(status);
    this.#end('noAudio');
  }

  /** Takes an action of the other party. */
  input(input: PartyInput): void {
    if (this.over) return;
    this.#callId ??= this.party?.sipCallId;
    switch (input.kind) {
      case 'rang':
        if (input.early) this.#join();
        if (input.status === this.#rang || input.status === 100) return;
        this.#rang = input.status;
        this.#notify('ringing');
        return;
      case 'held':
        this.#notify(input.by);
        return;
      case 'answered':
        this.#phase = 'Talking';
        this.trace.add('voiceJoined', { leg: this.participant, destination: this.facts.destinationUri });
        this.#dependencies.start(this, 'duration', LONGEST_MS);
        this.#join();
        this.#answered();
        return;
      case 'digit':
        this.#press(input.digit);
        return;
      case 'failed': {
        const { status: sipStatus, reason: sipReason } = input;
        const sipCallId = this.#callId;
        this.#report('callFailed', {
          participantId: this.participant,
          ...(sipCallId !== undefined && { sipCallId }),
          sipStatus,
          sipReason,
          errorDescr: `${this.facts.destinationUri} was not reached: ${sipStatus} ${sipReason}`,
        });
        this.#end('callFailed', `${sipStatus} ${sipReason}`);
        return;
      }
      case 'gone':
        this.#report('callHungup', { ...this.#said(), reason: input.why, ...wordsOf(input.said) });
        this.#end(input.why, input.said?.text);
    }
  }

  /** Audio of both, as soon as there is some. */
  #join(): void {
    const { media, run } = this.#dependencies;
    const other = this.party?.leg;
    if (other !== undefined) run(media.connect(other, this.#leg));
  }

  /** A digit that came as INFO goes on in the audio or as an event, whichever the application has asked for. */
  #press(digits: string): void {
    const { media, run } = this.#dependencies;
    const sending = { digits, mode: 'auto', onMs: 100, offMs: 100 } as const;
    run(media.sendDigits(this.#leg, `${this.#leg} digit ${++this.#digits}`, sending));
  }

  #notify(event: 'ringing' | 'reInvite' | 'update'): void {
    const sipCallId = this.#callId;
    this.#report('callNotify', {
      event,
      monitoringParticipant: false,
      participantId: this.participant,
      user: this.#inbound ? this.facts.sourceUser : this.facts.destinationUser,
      remoteUser: this.#inbound ? this.facts.destinationUser : this.facts.sourceUser,
      ...(sipCallId !== undefined && { sipCallId }),
    });
  }

  #answered(): void {
    const { sourceUser, destinationUser } = this.facts;
    this.#report('callAnswered', {
      connectionId: `${this.id}-c1`,
      monitoringParticipant: false,
      callingPartyNumber: sourceUser,
      remotePartyNumber: destinationUser,
      [this.#inbound ? 'callerParticipantId' : 'calleeParticipantId']: this.participant,
      codec: this.#codec,
      remoteRtpIp: this.#address,
      remoteRtpPort: this.#port,
    });
  }

  #leave(status: number | undefined, reason: string): void {
    this.party?.drop(status);
    this.#report('callHungup', { ...this.#said(), reason });
    this.#end(reason);
  }

  #end(outcome: string, reason?: string): void {
    const answered = this.#phase === 'Talking';
    this.#phase = 'Over';
    this.trace.add('sessionEnded', { outcome, answered, ...(reason !== undefined && { reason }) });
    const { media, run, over } = this.#dependencies;
    run(media.closeLeg(this.#leg));
    over(this);
  }

  #notRinging(): Done {
    return fail(
      'conflict',
      this.#inbound ? 'the call was answered before' : 'the call was placed by placeremotecall',
      '/replyId',
    );
  }

  #said() {
    const { destinationUri, sourceUser } = this.facts;
    return { ...(this.#callId !== undefined && { callId: this.#callId }), destinationUri, sourceUser };
  }

  #report(of: Parameters<MediaCallbacks['report']>[0], body: Readonly<Record<string, unknown>>): void {
    this.#dependencies.callbacks.report(of, this.#origin(), body);
  }

  #origin(): CallbackOrigin {
    const { id: sessionId, agent: service, trace, reference, participant: refers } = this;
    const dest = cloudSipUaDestination(service.id);
    return { sessionId, service, dest, trace, reference, refers, eventSeq: ++this.#seq };
  }
}

const wordsOf = (said: Extract<PartyInput, { readonly kind: 'gone' }>['said']) => ({
  ...(said?.status !== undefined && { sipStatus: said.status }),
  ...(said !== undefined && { sipReason: said.text }),
});

/** An answer without one, or that is none, is as good: the operations decide about the call. */
function referenceIn(body: string): string | undefined {
  try {
    const said = remoteCallNotedSchema.safeParse(JSON.parse(body)).data?.sessionReferenceId;
    return typeof said === 'string' ? said : undefined;
  } catch {
    return undefined;
  }
}
