import {
  CALLBACK_PATH,
  type RecordingEvent,
  recordingDecisionSchema,
  streamTargetFault,
} from '#shared/contract/callback/index.ts';
import type { RecordingRequest } from '#shared/contract/runtime/index.ts';
import { uuid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { noteRecordingRead } from '../../delivery/access-note.ts';
import { type CallbackCall, type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import { noteCallback, noteQueuedCallback } from '../../delivery/callback-trace.ts';
import type { QueuePorts } from '../../delivery/command-queue.ts';
import { type DeliveryService, recordingServiceDestination } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import { relative, type ShelvedRecording } from '../../media/recording/index.ts';
import type { OperationFailure } from '../../operation/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ApplicationCall, CallControl } from '../control/index.ts';
import { isAddress } from '../media-service/index.ts';
import { MOST_METADATA, readMetadata, storedName } from '../siprec/index.ts';
import type { Sound, SoundAdapters } from '../sound/index.ts';
import { metadataIn } from './metadata-part.ts';
import { pathOf, RecordingSession, type RecordingSessionDependencies } from './recording-session.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts & MediaPorts & QueuePorts;

const FOLLOW_MS = 500;
const CLEAN_MS = 3_600_000;
type Body = Readonly<Record<string, unknown>>;
type Done = Result<{ readonly streamId?: string } | undefined, OperationFailure>;

export interface RecordingServicesDependencies {
  readonly calls: CallControl;
  readonly delivery: DeliveryService;
  readonly sound: Sound;
  readonly adapters: SoundAdapters;
}

/** Recording services: sessions that recording clients open, and commands of applications about what was recorded. */
export class RecordingServices {
  readonly #ports: Ports;
  readonly #dependencies: RecordingServicesDependencies;
  readonly #sessions = new Map<string, RecordingSession>();
  readonly #timers: TimerScope<'follow' | 'clean'>;
  readonly #caseParts: RecordingSessionDependencies;

  constructor(ports: Ports, dependencies: RecordingServicesDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((_, timer, nowMs) =>
      timer === 'clean' ? this.#cleanAgain(nowMs) : this.#follow(nowMs),
    );
    this.#timers.start('all', 'clean', ports.clock.monoMs() + CLEAN_MS);
    this.#caseParts = {
      sound: dependencies.sound,
      media: ports.media,
      run: ports.run,
      place: (wanted) => dependencies.calls.place(wanted),
      domain: () => ports.tenant().domain,
      random: ports.random,
      wallMs: ports.clock.wallMs,
      tell: (session, event, body, refers) => this.#tell(session, event, body, refers),
      replyId: (session, refers) => this.#replyId(session.id, refers),
      commands: () => this.#queue,
      over: (session) => this.#sessions.delete(session.id),
    };
    dependencies.calls.onApplication.set('callrecording', (arrived) => this.#arrived(arrived));
  }

  /** With the streams; within a turn. */
  shed(): void {
    for (const session of this.#sessions.values()) session.shed();
  }

  get size(): number {
    return this.#sessions.size;
  }

  #cleanAgain(nowMs: number): void {
    this.#timers.start('all', 'clean', nowMs + CLEAN_MS);
    this.#ports.run(this.clean());
  }

  #follow(nowMs: number): void {
    if (this.#sessions.size > 0) this.#timers.start('all', 'follow', nowMs + FOLLOW_MS);
    for (const session of this.#sessions.values()) this.#dependencies.calls.turn(() => session.follow());
  }

  /** Removes from temporary storage what was there for `retention`. */
  async clean(): Promise<void> {
    const { recordingStore } = this.#dependencies.adapters;
    const services = this.#ports.tenant().recordingServicesById;
    for (const recording of await recordingStore.all()) {
      const { report, endedAtMs, startedAtMs } = recording;
      if (report.words !== 'callrecording' || recording.event === undefined || !recording.reported) continue;
      const service = services.get(report.dest?.slice(recordingServiceDestination('').length) ?? '');
      const keptMs = (service?.retention ?? 72) * 3_600_000;
      if ((endedAtMs ?? startedAtMs) + keptMs < this.#ports.clock.wallMs())
        await recordingStore.remove(recording);
    }
  }

  #arrived({ call, id, request }: ApplicationCall): void {
    const service = this.#ports.tenant().recordingServicesById.get(id);
    if (service === undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'the recording service was deleted' });
      return;
    }
    const metadata = metadataIn(request);
    const read = metadata === undefined ? undefined : readMetadata(metadata);
    // Chosen: a recording is not lost for metadata that cannot be read; the application gets its text as it came.
    const metaDataWarning = read?.ok === false ? read.error.reason : undefined;
    const warning = metaDataWarning && `metadata: ${metaDataWarning}`;
    if (warning !== undefined) call.trace.add('note', { text: warning, warning });
    const metaData = metadata === undefined ? '' : Buffer.from(metadata).toString('utf8', 0, MOST_METADATA);
    const known = { service, metaData, metadata: read?.ok ? read.value : undefined };
    const session = new RecordingSession(call, known, this.#caseParts);
    call.trace.open({
      kind: 'recording',
      sessionId: session.id,
      receiver: service.id,
      receiverName: service.name,
    });
    call.watchedBy({
      onRequest: (next) => {
        const update = metadataIn(next);
        if (update !== undefined) session.learn(update);
      },
    });
    this.#sessions.set(session.id, session);
    this.#timers.start('all', 'follow', this.#ports.clock.monoMs() + FOLLOW_MS);
    this.#ports.run(this.#ask(session, request.callId, metaDataWarning));
  }

  async #ask(
    session: RecordingSession,
    sipRecCallId: string,
    metaDataWarning: string | undefined,
  ): Promise<void> {
    const { metaData, firstRecordingId: recordingId, service } = session;
    const call = this.#call(session, CALLBACK_PATH.newCall, {
      recordingId,
      metaData,
      ...(metaDataWarning !== undefined && { metaDataWarning }),
      sipRecCallId,
    });
    const row = this.#row(session, 'newCall', call, 'inflight');
    await this.#ports.journal.commit([{ kind: 'outbox', row }]).catch(() => undefined);
    const { trace } = session.call;
    const noteOutcome = noteCallback(
      trace,
      `${service.callbackBaseUrl}${call.path}`,
      this.#ports.clock.monoMs,
    );
    const outcome = await this.#dependencies.delivery.live(row, call, service.callbackTimeout);
    noteOutcome(outcome);
    const taken = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    if (taken) this.#ports.run(this.#ports.journal.commit([this.#dependencies.delivery.settle(row)]));
    else
      this.#dependencies.delivery.release(
        row,
        outcome.kind === 'failed' ? outcome.reason : `answered ${outcome.status}`,
      );
    const decision = taken ? decisionIn(outcome.body) : undefined;
    trace.add('note', {
      text: `newCall: ${decision === undefined ? 'no decision' : JSON.stringify(decision)}`,
    });
    this.#dependencies.calls.turn(() => session.decide(decision));
  }

  /** Commands of document 3, 4.3. Undefined: the session is not here, or over. */
  async operate(
    { command, body }: RecordingRequest,
    reply: { readonly session: string; readonly refers: string },
  ): Promise<Done> {
    const session = this.#sessions.get('sessionId' in body ? body.sessionId : reply.session);
    switch (command) {
      case 'startfilerecording':
      case 'startstream': {
        if (session === undefined) return unknownId(body.sessionId);
        const fault =
          command === 'startstream' ? streamTargetFault(body.streamTarget, session.labels) : undefined;
        if (fault !== undefined)
          return fail('invalid', `The stream is not started: ${fault.reason}.`, `/streamTarget${fault.path}`);
        const streamId =
          command === 'startstream'
            ? session.stream(body.streamTarget)
            : session.record(body.fileTarget?.recordingReferenceId);
        return streamId === undefined
          ? fail('conflict', 'nothing could be started; the session has no audio')
          : ok({ streamId });
      }
      case 'startsiprecforward': {
        const { destinations, headers, metadata, sessionId } = body;
        const wrong = destinations.findIndex((each) => !isAddress(each));
        if (wrong >= 0)
          return fail('invalid', 'a destination must be a SIP address', `/destinations/${wrong}`);
        const streamId = session?.forward(destinations, { headers, metadata });
        if (session === undefined) return unknownId(sessionId);
        return streamId === undefined
          ? fail('conflict', 'there is nothing to send on; the session has no audio')
          : ok({ streamId });
      }
      case 'stopsiprecforward': {
        const { sessionId, streamId } = body;
        if (session?.stopForward(streamId)) return ok(undefined);
        if (session !== undefined)
          this.#tell(session, 'STOPSTREAMFAILED', {
            ...(streamId !== undefined && { streamId }),
            error: 'nothing of that is sent on',
          });
        return unknownId(streamId ?? sessionId);
      }
      case 'stopfilerecording': {
        const { recordingId } = body;
        if (session?.stopRecording(recordingId)) return ok(undefined);
        if (session !== undefined)
          this.#tell(session, 'STOPFILERECORDINGFAILED', { recordingId, error: 'no such recording runs' });
        return unknownId(recordingId);
      }
      case 'stopstream': {
        const { streamId } = body;
        if (session?.stopStream(streamId)) return ok(undefined);
        if (session !== undefined)
          this.#tell(session, 'STOPSTREAMFAILED', { streamId, error: 'no such stream runs' });
        return unknownId(streamId);
      }
      case 'stopsession':
        if (session === undefined) return unknownId(body.sessionId);
        session.hangUp();
        return ok(undefined);
      case 'stoprecording':
        return session?.stopRecording(body.recordingId) ? ok(undefined) : unknownId(body.recordingId);
      case 'cancelrecording':
        return session?.cancelRecording(body.recordingId) ? ok(undefined) : unknownId(body.recordingId);
      case 'deleterecording': {
        const recording = await this.#shelved(body.recordingId);
        if (recording === undefined) return unknownId(body.recordingId);
        await this.#dependencies.adapters.recordingStore.remove(recording);
        this.#tellOf(recording, 'RECORDINGDELETED', {});
        return ok(undefined);
      }
      case 'storerecording':
        return await this.#store(body);
    }
  }

  async #store(body: Extract<RecordingRequest, { command: 'storerecording' }>['body']): Promise<Done> {
    const { recordingId, destinationBucket, encryptionKey, modificationParams } = body;
    const recording = await this.#shelved(recordingId);
    const [file] = recording?.files ?? [];
    if (recording === undefined || file === undefined) return unknownId(recordingId);
    const { adapters } = this.#dependencies;
    if (encryptionKey !== undefined && adapters.putObject === undefined && adapters.sealObject === undefined)
      return fail(
        'commandNotSupported',
        'encryptionKey: this site has no object storage that encrypts; leave it out, or move the file in the cloud',
      );
    try {
      // The journal names the recipient before the copy exists.
      const actor = `application:${recording.report.dest ?? ''}`;
      await noteRecordingRead(this.#ports, { actor, fileName: file.fileName });
    } catch {
      return fail('storeFailed', 'that it is copied cannot be written down; look at the disk of the site');
    }
    const fileName = body.fileName ?? storedName(recordingId, recording.startedAtMs);
    const { absoluteTimes, trim, mask } = modificationParams ?? {};
    const wanted = {
      ...(absoluteTimes !== undefined && { absoluteTimes }),
      ...(trim !== undefined && { trim: defined(trim) }),
      ...(mask !== undefined && { mask: defined(mask) }),
    };
    const modification = relative(wanted, recording.startedAtMs);
    const isStaged = adapters.putObject !== undefined || encryptionKey !== undefined;
    // A name that no bucket has: the copy is on its way.
    const staged = `.coming/${uuid(this.#ports.random(16))}`;
    const targetFolder = adapters.bucketOf(isStaged ? staged : destinationBucket);
    const stored = await adapters.recorder.store({
      file: file.fileName,
      targetFolder,
      targetName: fileName,
      ...modification,
    });
    if (!stored.ok)
      return fail(stored.error.code === 'Exists' ? 'conflict' : 'storeFailed', stored.error.reason);
    const object = { path: `${targetFolder}/${fileName}`, bucket: destinationBucket, key: fileName };
    if (adapters.putObject === undefined) {
      const sealed =
        encryptionKey === undefined ? undefined : await adapters.sealObject?.({ ...object, encryptionKey });
      if (sealed?.ok === false) return sealed;
      this.#tellOf(recording, 'RECORDINGSTORED', { destinationBucket, fileName });
      return ok(undefined);
    }
    this.#ports.run(
      this.#sent(recording, adapters.putObject({ ...object, encryptionKey }), {
        destinationBucket,
        fileName,
      }),
    );
    return ok(undefined);
  }

  /** The command has its answer however long the transfer takes; a callback reports the outcome to the application. */
  async #sent(
    recording: ShelvedRecording,
    sent: ReturnType<NonNullable<SoundAdapters['putObject']>>,
    where: Body,
  ): Promise<void> {
    const put = await sent;
    if (put.ok) this.#tellOf(recording, 'RECORDINGSTORED', where);
    else this.#tellOf(recording, 'RECORDINGFAILED', { ...where, reason: put.error.reason });
  }

  async #shelved(recordingId: string): Promise<ShelvedRecording | undefined> {
    const all = await this.#dependencies.adapters.recordingStore.all();
    return all.find(
      (each) =>
        each.recordingId === recordingId && each.report.words === 'callrecording' && each.event !== undefined,
    );
  }

  #tell(session: RecordingSession, event: RecordingEvent, body: Body, refers?: string): void {
    const call = this.#call(session, pathOf(event), { event, ...body }, refers);
    noteQueuedCallback(session.call.trace, `${session.service.callbackBaseUrl}${call.path}`);
    this.#send(this.#row(session, event, call, 'new'));
  }

  /** Reports an event of a session that may have ended days ago: the store holds everything. */
  #tellOf({ recordingId, report }: ShelvedRecording, event: RecordingEvent, body: Body): void {
    const { tenant } = this.#ports;
    const whole = {
      event,
      ...report.more,
      recordingId,
      sessionId: report.sessionId,
      domain: tenant().domain,
      traceId: report.traceId,
      ...this.#queue,
      ...body,
    };
    const call: CallbackCall = {
      traceId: report.traceId,
      path: pathOf(event),
      headers: {},
      body: JSON.stringify(whole),
      eventSeq: (report.eventSeq ?? 1) + 1,
      shape: 'default',
    };
    const dest = report.dest ?? '';
    const { delivery } = this.#dependencies;
    this.#send(
      delivery.row({
        lane: 'svc',
        dest,
        orderKey: report.sessionId,
        type: event,
        call,
        state: 'new',
        late: false,
      }),
    );
  }

  /** Where commands of this session may be sent beside the API (decisions 5). */
  get #queue() {
    const { queue, place } = this.#ports;
    return {
      commandRegion: place.siteId,
      ...(queue && { commandQueue: queue.urlOf('callrecording') }),
    };
  }

  #send(row: ReturnType<DeliveryService['row']>): void {
    const kept = this.#ports.journal.commit([{ kind: 'outbox', row }]);
    this.#ports.run(kept.finally(() => this.#dependencies.delivery.queued(row)));
  }

  #row({ id, service }: RecordingSession, type: string, call: CallbackCall, state: 'new' | 'inflight') {
    const dest = recordingServiceDestination(service.id);
    return this.#dependencies.delivery.row({
      lane: 'svc',
      dest,
      orderKey: id,
      type,
      call,
      state,
      late: false,
    });
  }

  #call(session: RecordingSession, path: string, body: Body, refers = 'session'): CallbackCall {
    const { place, tenant } = this.#ports;
    const whole = {
      ...body,
      sessionId: session.id,
      domain: tenant().domain,
      traceId: session.traceId,
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
      replyId: this.#replyId(session.id, refers),
      ...this.#queue,
      ...(session.reference !== undefined && { sessionReferenceId: session.reference }),
    };
    const [traceId, eventSeq] = [session.traceId, session.nextSeq()];
    return { traceId, path, headers: {}, body: JSON.stringify(whole), eventSeq, shape: 'default' };
  }

  #replyId(session: string, refers: string): string {
    const { place, tenant, clock, signReply } = this.#ports;
    const iat = Math.floor(clock.wallMs() / 1_000);
    const { hostId: host, epoch } = place;
    return makeReplyId({ domain: tenant().domain, host, epoch, session, refers, iat }, signReply);
  }
}

const unknownId = (id: string) => fail('sessionUnknown' as const, `${id} is over, or was never here`);

/** A body that is no decision is none: the session is refused, as when no answer comes. */
function decisionIn(body: string) {
  try {
    return recordingDecisionSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

const defined = ({ from, to }: { readonly from?: number | undefined; readonly to?: number | undefined }) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
