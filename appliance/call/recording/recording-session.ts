import {
  RECORDING_EVENTS,
  type RecordingDecision,
  type RecordingEvent,
  type StreamTarget,
  streamTargetFault,
} from '#shared/contract/callback/index.ts';
import type { ReplicatedRecordingService } from '#shared/contract/provisioning/index.ts';
import { uuid } from '#shared/id.ts';
import { recordingServiceDestination } from '../../delivery/delivery-service.ts';
import type { Media } from '../../media/control/index.ts';
import type { ActiveCall, PlacedCall } from '../control/index.ts';
import {
  changes,
  channelPlan,
  followed,
  labelsOf,
  type ReceivedStream,
  type RecordingMetadata,
  readMetadata,
  temporaryName,
  verdictOf,
  writeMetadata,
} from '../siprec/index.ts';
import { type LiveRecording, type LiveStream, type Sound, streamedOf } from '../sound/index.ts';
import { type CopiedStream, Copying } from './copying.ts';
import { Forward, type SiprecForwardRequest } from './forward.ts';

/** The part of the recording services that a session needs. */
export interface RecordingSessionDependencies {
  readonly sound: Sound;
  readonly media: Media;
  readonly run: (work: Promise<unknown>) => void;
  readonly place: (wanted: PlacedCall) => ActiveCall;
  readonly domain: () => string;
  readonly random: (length: number) => Uint8Array;
  readonly wallMs: () => number;
  /** Sends a callback of this session; the recording services add the tenant and the place. */
  readonly tell: (
    session: RecordingSession,
    event: RecordingEvent,
    body: Readonly<Record<string, unknown>>,
    refers?: string,
  ) => void;
  readonly replyId: (session: RecordingSession, refers: string) => string;
  /** Where commands may be sent beside the API. */
  readonly commands: () => Readonly<Record<string, string>>;
  readonly over: (session: RecordingSession) => void;
}

interface Running<Live> {
  readonly live: Live;
  readonly labels: readonly string[];
}

/**
 * One recording session: a call that speaks and is never spoken to, what is recorded of it and where it goes live.
 *
 *   asked ── refused
 *     └─ accepted ─ ACK ─▶ SESSIONSTARTED ── commands: files, streams ── BYE, STOPSESSION ─▶ all stopped ─▶ SESSIONCOMPLETED
 */
export class RecordingSession {
  readonly id: string;
  readonly call: ActiveCall;
  readonly service: ReplicatedRecordingService;
  /** As the client has said it last; what it said in parts is put together. */
  metaData: string;
  #metadata: RecordingMetadata | undefined;
  /** Id of the first file recording; newCall names it. */
  readonly firstRecordingId: string;
  reference: RecordingDecision['sessionReferenceId'];
  readonly #dependencies: RecordingSessionDependencies;
  readonly #recordings = new Map<string, Running<LiveRecording>>();
  readonly #streams = new Map<string, Running<LiveStream> & { readonly target: StreamTarget }>();
  /** Sessions of ours by the id of the command that began them. */
  readonly #forwards = new Map<string, Set<Forward>>();
  readonly #copying: Copying;
  #seq = 0;
  #first = true;
  /** Why nothing was begun with the session; SESSIONSTARTED says it. */
  #idle: string | undefined;
  #over = false;

  constructor(
    call: ActiveCall,
    known: {
      readonly service: ReplicatedRecordingService;
      readonly metaData: string;
      readonly metadata: RecordingMetadata | undefined;
    },
    dependencies: RecordingSessionDependencies,
  ) {
    this.id = call.id;
    this.call = call;
    this.service = known.service;
    this.metaData = known.metaData;
    this.#metadata = known.metadata && followed(undefined, known.metadata);
    this.#dependencies = dependencies;
    this.firstRecordingId = uuid(dependencies.random(16));
    this.#copying = new Copying(dependencies, this.id);
    call.watchedBy({
      onProgress: (progress) => {
        if (progress.kind === 'attended') this.#started();
        else if (progress.kind === 'over') this.#ended();
      },
    });
  }

  get traceId(): string {
    return this.call.trace.traceId;
  }

  /** X-Event-Seq of the next callback. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** The answer of newCall; undefined: there was none. */
  decide(decision: RecordingDecision | undefined): void {
    if (this.#over || this.call.session.phase !== 'Arrived') return;
    const verdict =
      decision === undefined
        ? ({ kind: 'refuse', status: 503, text: 'nobody decided about the recording session' } as const)
        : verdictOf(decision);
    if (verdict.kind === 'refuse') {
      this.call.input({ kind: 'refuse', status: verdict.status, text: verdict.text });
      return;
    }
    this.reference = decision?.sessionReferenceId;
    this.#trace(decision?.traceId);
    this.#idle = verdict.idle;
    this.call.input({ kind: 'attend' });
    if (verdict.idle !== undefined) this.call.trace.add('note', { text: verdict.idle });
    if (verdict.record !== undefined) this.record(verdict.record.recordingReferenceId);
    if (verdict.stream !== undefined) this.#streamDecided(verdict.stream);
  }

  /** The trace goes on under the id of the application, where a header can carry it. */
  #trace(traceId: string | undefined): void {
    if (traceId === undefined) return;
    const { trace } = this.call;
    if (/^[\x21-\x7e]+$/.test(traceId)) trace.continueAs(traceId);
    else
      trace.add('note', {
        text: 'newCall: traceId is not taken, it has other than visible ASCII characters',
      });
  }

  /** A target of newCall that nothing can go to is reported; the session itself continues. */
  #streamDecided(target: StreamTarget): void {
    const fault = streamTargetFault(target, this.labels);
    if (fault === undefined) {
      this.stream(target);
      return;
    }
    const { url, streamReferenceId } = target;
    const streamId = uuid(this.#dependencies.random(16));
    const about = { streamId, url, ...(streamReferenceId !== undefined && { streamReferenceId }) };
    const reason = `/startStream${fault.path}: ${fault.reason}`;
    this.#dependencies.tell(this, 'STREAMFAILED', { ...about, reason }, `stream ${streamId}`);
  }

  /** Records every stream there is, a channel each. Undefined: there is none, or it could not begin. */
  record(recordingReferenceId?: unknown): string | undefined {
    if (this.#over) return undefined;
    const recordingId = this.#first ? this.firstRecordingId : uuid(this.#dependencies.random(16));
    this.#first = false;
    const now = this.#receivedStreams();
    const labels = labelsOf(now);
    const whose = { recordingId, ...(recordingReferenceId !== undefined && { recordingReferenceId }) };
    const refers = `recording ${recordingId}`;
    const begun = this.#dependencies.sound.record({
      recordingId,
      fileName: temporaryName(recordingId),
      channels: channelPlan(labels, now),
      layout: 'perSide',
      speakers: labels,
      report: {
        dest: recordingServiceDestination(this.service.id),
        words: 'callrecording',
        sessionId: this.id,
        connectionId: this.id,
        traceId: this.traceId,
        eventSeq: this.nextSeq() + 1,
        more: {
          ...whose,
          replyId: this.#dependencies.replyId(this, refers),
          ...this.#dependencies.commands(),
          ...(this.reference !== undefined && { sessionReferenceId: this.reference }),
        },
      },
      onEnded: () => this.#recordings.delete(recordingId),
    });
    this.call.trace.add('recorded', {
      fileName: temporaryName(recordingId),
      ...(begun.ok && begun.value.isTranscribed && { transcribed: true }),
    });
    if (!begun.ok) {
      this.#dependencies.tell(this, 'RECORDINGFAILED', { ...whose, reason: begun.error.reason }, refers);
      return undefined;
    }
    this.#recordings.set(recordingId, { live: begun.value, labels });
    this.#dependencies.tell(this, 'RECORDINGSTARTED', { ...whose, metaData: this.metaData }, refers);
    return recordingId;
  }

  /** Labels of the streams that the session has now. */
  get labels(): readonly string[] {
    return labelsOf(this.#receivedStreams());
  }

  stream(target: StreamTarget): string | undefined {
    if (this.#over) return undefined;
    const now = this.#receivedStreams();
    const labels = labelsOf(now, target.channels?.map(String));
    const { url, headers, trustSelfSigned, chunkDuration } = target;
    let streamId = '';
    const begun = this.#dependencies.sound.stream({
      url,
      channels: channelPlan(labels, now),
      ...(headers && { headers }),
      ...(trustSelfSigned !== undefined && { trustSelfSigned }),
      ...(chunkDuration !== undefined && { chunkDuration }),
      onEvent: (progress) => {
        const { kind, ...facts } = progress;
        if (kind !== 'started') this.#streams.delete(streamId);
        this.call.trace.add('streamed', streamedOf(streamId, url, progress));
        const event = { started: 'STREAMSTARTED', stopped: 'STREAMSTOPPED', failed: 'STREAMFAILED' } as const;
        const about = {
          streamId,
          url,
          ...(target.streamReferenceId !== undefined && { streamReferenceId: target.streamReferenceId }),
          ...(kind === 'started' && { metaData: this.metaData }),
        };
        this.#dependencies.tell(this, event[kind], { ...about, ...facts }, `stream ${streamId}`);
      },
    });
    if (!begun.ok) return undefined;
    streamId = begun.value.streamId;
    this.#streams.set(streamId, { live: begun.value, labels, target });
    return streamId;
  }

  /** False: no such recording runs. */
  stopRecording(recordingId: string): boolean {
    this.#recordings.get(recordingId)?.live.stop();
    return this.#recordings.has(recordingId);
  }

  cancelRecording(recordingId: string): boolean {
    const running = this.#recordings.get(recordingId);
    if (running === undefined) return false;
    this.#recordings.delete(recordingId);
    running.live.cancel();
    this.#dependencies.tell(
      this,
      'RECORDINGCANCELLED',
      { recordingId, metaData: this.metaData },
      `recording ${recordingId}`,
    );
    return true;
  }

  stopStream(streamId: string): boolean {
    this.#streams.get(streamId)?.live.stop();
    return this.#streams.has(streamId);
  }

  /**
   * Sends the session on, to each destination by a session of its own; their `url` distinguishes them.
   *
   * @returns undefined: the session has no audio (yet, or any more)
   */
  forward(destinations: readonly string[], request: SiprecForwardRequest): string | undefined {
    const labels = labelsOf(this.#receivedStreams());
    if (this.#over || labels.length === 0 || this.call.session.phase !== 'Attended') return undefined;
    const streamId = uuid(this.#dependencies.random(16));
    const all = new Set<Forward>();
    this.#forwards.set(streamId, all);
    const { place, domain, wallMs, tell } = this.#dependencies;
    const session = { call: this.call, labels, metaData: () => this.metaData };
    for (const destination of new Set(destinations)) {
      const forward = new Forward(destination, session, request, {
        ...{ place, domain, wallMs },
        tell: (event, body) => tell(this, event, { streamId, ...body }, `stream ${streamId}`),
        changed: () => this.#copy(),
        over: (ended) => {
          all.delete(ended);
          if (all.size === 0) this.#forwards.delete(streamId);
          this.#copy();
        },
      });
      all.add(forward);
    }
    for (const forward of [...all]) forward.begin();
    return streamId;
  }

  /** Our own load is too much: what leaves the house live goes first. */
  shed(): void {
    for (const forwards of [...this.#forwards.values()])
      for (const forward of [...forwards]) forward.shed('overload');
  }

  /** False: nothing of that is sent on. Without an id: whatever is. */
  stopForward(streamId?: string): boolean {
    const stopping = streamId === undefined ? [...this.#forwards.values()] : [this.#forwards.get(streamId)];
    const all = stopping.flatMap((each) => [...(each ?? [])]);
    for (const forward of all) forward.stop();
    return all.length > 0;
  }

  hangUp(): void {
    this.call.input({ kind: 'hangUp' });
  }

  /** Streams of the description come and go; channels keep their labels. */
  follow(): void {
    const now = this.#receivedStreams();
    for (const { live, labels } of [...this.#recordings.values(), ...this.#streams.values()])
      live.change(channelPlan(labels, now));
    this.#copy();
  }

  /** Each stream goes to whoever takes a copy of it. */
  #copy(): void {
    const now = this.#receivedStreams();
    const wanted = new Map<string, CopiedStream & { readonly sinks: string[] }>();
    for (const { streams } of [...this.#forwards.values()].flatMap((each) => [...each]))
      for (const { leg, label = '' } of streams) {
        const source = channelPlan([label], now)[0]?.[0];
        const known = wanted.get(label) ?? { source, sinks: [] };
        known.sinks.push(leg);
        wanted.set(label, known);
      }
    this.#copying.wire(wanted);
  }

  /**
   * Metadata that came with a re-INVITE or an UPDATE: who joins, leaves, is held. Metadata that cannot be read
   * is no reason to lose the audio: the session keeps the metadata of before.
   */
  learn(bytes: Uint8Array): void {
    const { trace } = this.call;
    const read = readMetadata(bytes);
    if (!read.ok) {
      trace.add('note', { text: `metadata that followed: ${read.error.reason}` });
      return;
    }
    const now = followed(this.#metadata, read.value);
    for (const text of changes(this.#metadata, now)) trace.add('note', { text });
    this.metaData =
      read.value.dataMode === 'partial'
        ? writeMetadata(now, this.id, new Date(this.#dependencies.wallMs()))
        : Buffer.from(bytes).toString('utf8');
    this.#metadata = now;
    for (const forwards of this.#forwards.values()) for (const forward of forwards) forward.learn();
  }

  #receivedStreams(): readonly ReceivedStream[] {
    return this.call.leg(this.call.session.party)?.media.channels ?? [];
  }

  #started(): void {
    this.#dependencies.tell(this, 'SESSIONSTARTED', {
      startTime: this.#dependencies.wallMs(),
      metaData: this.metaData,
      ...(this.#idle !== undefined && { reason: this.#idle }),
    });
  }

  #ended(): void {
    if (this.#over) return;
    this.#over = true;
    const began = this.#seq > 0;
    for (const { live } of this.#recordings.values()) live.stop();
    for (const { live } of this.#streams.values()) live.stop();
    this.stopForward();
    if (began) this.#dependencies.tell(this, 'SESSIONCOMPLETED', {});
    this.#dependencies.over(this);
  }
}

export const pathOf = (event: RecordingEvent): string => RECORDING_EVENTS[event];
