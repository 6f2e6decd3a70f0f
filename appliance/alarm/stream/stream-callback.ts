import { CALLBACK_PATH, MEDIA_STREAM_EVENTS } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import type { StreamProgress } from '../../call/sound/index.ts';
import { type CallbackCall, type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts, JournalWrite } from '../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';

type Ports = KernelPorts & TenantPorts & JournalPorts & CallbackPorts;

const CALLBACK = { started: 'streamStarted', stopped: 'streamStopped', failed: 'streamFailed' } as const;

/** The alarm and the stream that a callback is about. */
export interface ReportedStream {
  readonly streamId: string;
  readonly url: string;
  readonly streamReferenceId: Readonly<Record<string, unknown>> | undefined;
  readonly sessionId: string;
  readonly traceId: string;
  readonly bridge: ReceiverBridge;
  /** Callbacks of the stream so far, with this one. */
  readonly eventSeq: number;
  /** Entries of the trace; after the end of its session no other commit takes them along. */
  readonly page: readonly JournalWrite[];
}

/** `/streamStarted`, `/streamStopped` and `/streamFailed` to the application of the bridge; a bridge without one gets none. */
export function reportAlarmStream(
  { place, tenant, random, run, journal, clock, signReply }: Ports,
  delivery: DeliveryService,
  { bridge, sessionId, traceId, streamId, url, streamReferenceId, eventSeq, page }: ReportedStream,
  { kind, ...facts }: StreamProgress,
): void {
  if (bridge.callbackBaseUrl === undefined) {
    run(journal.commit(page));
    return;
  }
  const { domain } = tenant();
  const { hostId: host, epoch, siteId, siteBaseUrl, address: ivrServer } = place;
  const iat = Math.floor(clock.wallMs() / 1_000);
  const claims = { domain, host, epoch, session: sessionId, refers: 'alarm', iat };
  const body = {
    ...{ sessionId, domain, ivrServer, traceId, siteId, siteBaseUrl },
    httpTransactionId: uuid(random(16)),
    replyId: makeReplyId(claims, signReply),
    ...{ event: MEDIA_STREAM_EVENTS[kind], streamId, url },
    ...(streamReferenceId !== undefined && { streamReferenceId }),
    ...facts,
  };
  const type = CALLBACK[kind];
  const path = CALLBACK_PATH[type];
  const call: CallbackCall = {
    ...{ traceId, path, eventSeq },
    headers: {},
    body: JSON.stringify(body),
    shape: 'default',
  };
  // In an order of its own: no callback of the alarm waits for what became of a stream.
  const orderKey = `stream ${streamId}`;
  const dest = bridgeDestination(bridge.id);
  const row = delivery.row({ lane: 'svc', dest, orderKey, type, call, state: 'new', late: false });
  run(journal.commit([...page, { kind: 'outbox', row }]).finally(() => delivery.queued(row)));
}
