import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import type { ReplicatedMediaService } from '#shared/contract/provisioning/index.ts';
import { uuid } from '#shared/id.ts';
import {
  type Ask,
  type Report,
  readCommand,
  readDecision,
  type SessionInput,
} from '../../call/media-session/index.ts';
import { type CallbackCall, makeReplyId } from '../../callback/index.ts';
import type { Lane } from '../../outbox/index.ts';
import { type DeliveryDesk, mediaServiceDestination } from '../delivery-desk.ts';
import type { RuntimePorts } from '../port.ts';
import type { TraceBook } from '../trace-book.ts';

type Body = Readonly<Record<string, unknown>>;
type Answer = Extract<SessionInput, { readonly kind: 'decided' | 'commanded' }>['answer'];

/** The session that a callback is of. */
export interface CallbackOrigin {
  readonly sessionId: string;
  readonly service: ReplicatedMediaService;
  readonly trace: TraceBook;
  readonly reference: unknown;
  /** X-Event-Seq: counted by the session. */
  readonly eventSeq: number;
  /** What the replyId of it refers to. */
  readonly refers: string;
}

/** Callbacks of media services: live ones bring an answer, records wait in the outbox until they are delivered. */
export class MediaCallbackDesk {
  readonly #ports: RuntimePorts;
  readonly #delivery: DeliveryDesk;

  constructor(ports: RuntimePorts, delivery: DeliveryDesk) {
    this.#ports = ports;
    this.#delivery = delivery;
  }

  /** One live chain inside callbackTimeout; a failed one becomes a late record (decisions 4.1). */
  async ask(of: Ask['callback'], origin: CallbackOrigin, body: Body): Promise<Answer> {
    const { service, trace } = origin;
    const call = this.#call(CALLBACK_PATH[of], origin, body);
    const row = this.#row(of, origin, call, 'svc', 'inflight');
    await this.#kept([{ kind: 'outbox', row }]);
    const startMs = this.#ports.clock.monoMs();
    trace.add('callbackSent', { url: `${service.callbackBaseUrl}${call.path}`, attempt: 1, late: false });
    const outcome = await this.#delivery.live(row, call, service.callbackTimeout);
    const tookMs = this.#ports.clock.monoMs() - startMs;
    if (outcome.kind === 'answered')
      trace.add('callbackAnswered', { status: outcome.status, body: outcome.body.slice(0, 500), tookMs });
    else trace.add('callbackFailed', { reason: outcome.reason, tookMs });
    const taken = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    if (taken) this.#ports.run(this.#kept([this.#delivery.settle(row)]));
    else
      this.#delivery.release(row, outcome.kind === 'failed' ? outcome.reason : `answered ${outcome.status}`);
    return of === 'getIvrCommand' ? readCommand(outcome) : readDecision(of, outcome);
  }

  report(of: Report['callback'], origin: CallbackOrigin, body: Body): void {
    const call = this.#call(CALLBACK_PATH[of], origin, body);
    const row = this.#row(of, origin, call, 'svc', 'new');
    origin.trace.add('callbackSent', {
      url: `${origin.service.callbackBaseUrl}${call.path}`,
      attempt: 0,
      late: false,
    });
    this.#ports.run(this.#kept([{ kind: 'outbox', row }]).finally(() => this.#delivery.queued(row)));
  }

  /** An alarm to the path of the service. */
  alarm(path: string, origin: CallbackOrigin, body: Body): void {
    const call = { ...this.#call(path, origin, {}), body: JSON.stringify(body) };
    // In an order of its own: it does not wait for what the application refuses to take.
    const apart = { ...origin, sessionId: `alarm ${origin.sessionId}` };
    const row = this.#row(String(body.type), apart, call, 'alarm', 'new');
    this.#ports.run(this.#kept([{ kind: 'outbox', row }]).finally(() => this.#delivery.queued(row)));
  }

  #row(
    type: string,
    { service, sessionId }: CallbackOrigin,
    call: CallbackCall,
    lane: Lane,
    state: 'new' | 'inflight',
  ) {
    const dest = mediaServiceDestination(service.id);
    return this.#delivery.row({ lane, dest, orderKey: sessionId, type, call, state, late: false });
  }

  #call(path: string, origin: CallbackOrigin, body: Body): CallbackCall {
    const { sessionId, trace, reference, eventSeq, refers } = origin;
    const { place, random, tenant, clock, signReply } = this.#ports;
    const { domain } = tenant();
    const replyId = makeReplyId(
      {
        domain,
        host: place.hostId,
        epoch: place.epoch,
        session: sessionId,
        refers,
        iat: Math.floor(clock.wallMs() / 1_000),
      },
      signReply,
    );
    const whole = {
      ...body,
      sessionId,
      domain,
      ivrServer: place.address,
      traceId: trace.traceId,
      httpTransactionId: uuid(random(16)),
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
      ...(path === CALLBACK_PATH.sessionCompleted ? {} : { replyId }),
      ...(reference !== undefined && { sessionReferenceId: reference }),
    };
    return {
      traceId: trace.traceId,
      path,
      headers: {},
      body: JSON.stringify(whole),
      eventSeq,
      shape: 'default',
    };
  }

  /** Chosen: a call goes on while the disk is full; the callback is sent all the same. */
  async #kept(writes: Parameters<RuntimePorts['journal']['commit']>[0]): Promise<void> {
    try {
      await this.#ports.journal.commit(writes);
    } catch (cause) {
      this.#ports.log('error', 'a callback of a media service could not be stored', { cause: String(cause) });
    }
  }
}
