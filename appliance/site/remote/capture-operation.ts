import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { answerOf, invalid } from './answer.ts';
import type { SendOnce } from './machine-operation.ts';

/** A capture; its files, for programs and for Wireshark, are made when they are asked for. */
interface FoundCapture {
  readonly document: {
    readonly messages: readonly unknown[];
    readonly overwritten: boolean;
    readonly oldestAt: string | null;
    readonly cut: boolean;
  };
  readonly json: () => Promise<Uint8Array>;
  readonly pcapng: () => Promise<Uint8Array>;
}

export interface CaptureOperationPorts {
  /** Undefined: this host captures no messages. */
  readonly captureFor:
    | ((request: {
        readonly traceId?: string | undefined;
        readonly callIds?: readonly string[] | undefined;
        readonly fromMs?: number | undefined;
        readonly toMs?: number | undefined;
      }) => Promise<FoundCapture>)
    | undefined;
  /** Undefined: this machine is no host. */
  readonly send: () => SendOnce<Uint8Array> | undefined;
}

/** `capture.export`: sends the capture of a trace, or of calls, to the address that the cloud made for it. */
export const captureOperations = ({
  captureFor,
  send,
}: CaptureOperationPorts): Readonly<Record<string, RemoteOperation>> => ({
  'capture.export': async ({ args }) => {
    const to = send();
    const asked = REMOTE_ARGS['capture.export'].safeParse(args);
    if (to === undefined || !asked.success || !namesCalls(asked.data))
      return invalid('/args is not url with traceId or callIds');
    if (captureFor === undefined)
      return {
        ok: false,
        code: 'captureOff',
        reason: 'this host captures no messages (CARILLON_CAPTURE is off)',
      };
    const { url, traceId, callIds, from, to: until, format } = asked.data;
    const { document, json, pcapng } = await captureFor({ traceId, callIds, fromMs: from, toMs: until });
    const sent = await to(url, await (format === 'json' ? json() : pcapng()));
    if (!sent.ok) return answerOf(sent);
    const { messages, overwritten, oldestAt, cut } = document;
    return { ok: true, value: { ...sent.value, messages: messages.length, overwritten, oldestAt, cut } };
  },
});

/** Without a trace and without a call the whole ring would be meant. */
const namesCalls = ({
  traceId,
  callIds,
}: {
  readonly traceId?: string | undefined;
  readonly callIds: readonly string[];
}): boolean => traceId !== undefined || callIds.length > 0;
