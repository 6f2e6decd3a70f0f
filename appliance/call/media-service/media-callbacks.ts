import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import {
  type CallbackCall,
  type CallbackPorts,
  type ChainOutcome,
  makeReplyId,
} from '../../delivery/callback/index.ts';
import { noteCallback, noteQueuedCallback } from '../../delivery/callback-trace.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts, Lane } from '../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { type Ask, readCommand, readDecision, type SessionInput } from '../media-session/index.ts';

type Ports = KernelPorts & TenantPorts & JournalPorts & CallbackPorts;

type Body = Readonly<Record<string, unknown>>;
type CallbackName = keyof typeof CALLBACK_PATH;
/** Nothing can be asked of a call that is over. */
const LAST: readonly string[] = [
  CALLBACK_PATH.sessionCompleted,
  CALLBACK_PATH.callFailed,
  CALLBACK_PATH.callHungup,
];
type Answer = Extract<SessionInput, { readonly kind: 'decided' | 'commanded' }>['answer'];

/** The session that a callback is of. */
export interface CallbackOrigin {
  readonly sessionId: string;
  /** Where the application is asked, ms that it may take, and the row's name of it. */
  readonly service: { readonly callbackBaseUrl: string; readonly callbackTimeout: number };
  readonly dest: string;
  readonly trace: SessionTrace;
  readonly reference: unknown;
  /** X-Event-Seq: counted by the session. */
  readonly eventSeq: number;
  /** The object that its replyId refers to. */
  readonly refers: string;
}

/** Callbacks of media services: live ones bring an answer, records wait in the outbox until they are delivered. */
export class MediaCallbacks {
  readonly #ports: Ports;
  readonly #delivery: DeliveryService;

  constructor(ports: Ports, delivery: DeliveryService) {
    this.#ports = ports;
    this.#delivery = delivery;
  }

  /** One live chain inside callbackTimeout; a failed one becomes a late record (decisions 4.1). */
  async ask(of: Ask['callback'], origin: CallbackOrigin, body: Body): Promise<Answer> {
    const outcome = await this.live(of, origin, body);
    return of === 'getIvrCommand' ? readCommand(outcome) : readDecision(of, outcome);
  }

  /** The same, whatever the answer is to be read as. */
  async live(of: CallbackName, origin: CallbackOrigin, body: Body): Promise<ChainOutcome> {
    const { service, trace } = origin;
    const call = this.#call(CALLBACK_PATH[of], origin, body);
    const row = this.#row(of, origin, call, 'svc', 'inflight');
    await this.#kept([{ kind: 'outbox', row }], trace);
    const noteOutcome = noteCallback(
      trace,
      `${service.callbackBaseUrl}${call.path}`,
      this.#ports.clock.monoMs,
    );
    const outcome = await this.#delivery.live(row, call, service.callbackTimeout);
    noteOutcome(outcome);
    const taken = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    if (taken) this.#ports.run(this.#kept([this.#delivery.settle(row)], trace));
    else
      this.#delivery.release(row, outcome.kind === 'failed' ? outcome.reason : `answered ${outcome.status}`);
    return outcome;
  }

  report(of: CallbackName, origin: CallbackOrigin, body: Body): void {
    const call = this.#call(CALLBACK_PATH[of], origin, body);
    const row = this.#row(of, origin, call, 'svc', 'new');
    noteQueuedCallback(origin.trace, `${origin.service.callbackBaseUrl}${call.path}`);
    this.#ports.run(
      this.#kept([{ kind: 'outbox', row }], origin.trace).finally(() => this.#delivery.queued(row)),
    );
  }

  /** An alarm to the path of the service. */
  alarm(path: string, origin: CallbackOrigin, body: Body): void {
    const call = { ...this.#call(path, origin, {}), body: JSON.stringify(body) };
    // In an order of its own: it does not wait for what the application refuses to take.
    const apart = { ...origin, sessionId: `alarm ${origin.sessionId}` };
    const row = this.#row(String(body.type), apart, call, 'alarm', 'new');
    this.#ports.run(
      this.#kept([{ kind: 'outbox', row }], origin.trace).finally(() => this.#delivery.queued(row)),
    );
  }

  #row(
    type: string,
    { dest, sessionId }: CallbackOrigin,
    call: CallbackCall,
    lane: Lane,
    state: 'new' | 'inflight',
  ) {
    return this.#delivery.row({ lane, dest, orderKey: sessionId, type, call, state, late: false });
  }

  #call(path: string, origin: CallbackOrigin, body: Body): CallbackCall {
    const { sessionId, trace, reference, eventSeq, refers } = origin;
    const { place, random, tenant } = this.#ports;
    const { domain } = tenant();
    const replyId = this.replyId(sessionId, refers);
    const whole = {
      ...body,
      sessionId,
      domain,
      ivrServer: place.address,
      traceId: trace.traceId,
      httpTransactionId: uuid(random(16)),
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
      ...(!LAST.includes(path) && { replyId }),
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

  /** Handle for operations on a session. */
  replyId(session: string, refers: string): string {
    const { place, tenant, clock, signReply } = this.#ports;
    const { hostId: host, epoch } = place;
    const iat = Math.floor(clock.wallMs() / 1_000);
    return makeReplyId({ domain: tenant().domain, host, epoch, session, refers, iat }, signReply);
  }

  /** Chosen: a call goes on while the disk is full; the callback is sent also then. */
  async #kept(
    writes: Parameters<JournalPorts['journal']['commit']>[0],
    { traceId }: CallbackOrigin['trace'],
  ): Promise<void> {
    try {
      await this.#ports.journal.commit(writes);
    } catch (cause) {
      this.#ports.log(
        'error',
        'media_callback.store_failed',
        'Could not store a callback of a media service',
        { traceId, cause: String(cause) },
      );
    }
  }
}
