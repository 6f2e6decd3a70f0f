import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import { redact } from '#shared/redact/index.ts';
import type { CaptureStore } from '../io/capture/index.ts';
import { putOnce, sendDiagnosis, sendTrace } from '../io/edge/index.ts';
import type { RecentLog } from '../io/system/index.ts';
import type { SelfTestRecord } from '../selftest/index.ts';
import type { RemoteAnswer, RemoteOperation } from '../site/host/site-port.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import type { CertificateRenewal } from '../site/system/index.ts';

interface RemoteParts {
  readonly site: Pick<SiteAgent, 'identity'>;
  readonly kept: RecentLog;
  readonly renewal: Pick<CertificateRenewal, 'now'>;
  /** Everything about this machine, without secrets. */
  readonly bundle: () => unknown;
  readonly upgrade: RemoteOperation;
  /** Pages of a trace, oldest first: each a JSON array of entries. */
  readonly trace: (traceId: string) => readonly string[];
  /** Tests this machine now; `sent`: the record is in the journal of the tenant. */
  readonly selfTest: () => Promise<{ readonly record: SelfTestRecord; readonly sent: boolean }>;
}

/** An answer must fit into one message of 64 KiB, with its escapes. */
const LOG_LIMIT_BYTES = 48 * 1_024;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Requests of the cloud about the machine itself (control plane, section 3.5). Secrets and numbers stay here. */
export const remoteOperations = ({
  site,
  kept,
  renewal,
  bundle,
  upgrade,
  trace,
  selfTest,
}: RemoteParts): Readonly<Record<string, RemoteOperation>> => ({
  'cert.renew': renewal.now,
  'sw.upgrade': upgrade,

  selftest: async () => {
    const { record, sent } = await selfTest();
    const checks = record.points.map(({ id, verdict, found }) => ({
      name: id,
      ok: verdict !== 'failure',
      message: found,
    }));
    return { ok: true, value: { checks, record, sent } };
  },

  'logs.tail': ({ args }) => {
    const wish = REMOTE_ARGS['logs.tail'].safeParse(args);
    if (!wish.success) return { ok: false, code: 'invalid', reason: '/args is not lines, level and match' };
    const { lines: most, level = 'debug', match = '' } = wish.data;
    const wanted = LEVELS.slice(LEVELS.indexOf(level)).map((each) => `"level":"${each}"`);
    const lines = kept
      .lines()
      .filter((line) => wanted.some((mark) => line.includes(mark)))
      .map((line) => redact(line))
      .filter((line) => line.includes(match))
      .slice(-most);
    return { ok: true, value: { lines: newestWithin(lines, LOG_LIMIT_BYTES) } };
  },

  'trace.get': async ({ args }) => {
    const own = site.identity;
    const wish = REMOTE_ARGS['trace.get'].safeParse(args);
    if (own === undefined || !wish.success)
      return { ok: false, code: 'invalid', reason: '/args has no traceId and url' };
    const { traceId, url } = wish.data;
    const pages = trace(traceId);
    if (pages.length === 0) return { ok: true, value: { bytes: 0 } };
    // The pages are JSON as they stand: a long trace is neither parsed nor written again here.
    const sent = await sendTrace(own, url, `{"v":1,"pages":[${pages.join(',')}]}`);
    return sent.ok
      ? { ok: true, value: { ...sent.value } }
      : { ok: false, code: sent.error.code, reason: sent.error.reason };
  },

  'diag.bundle': async ({ args }) => {
    const own = site.identity;
    const wish = REMOTE_ARGS['diag.bundle'].safeParse(args);
    if (own === undefined || !wish.success)
      return { ok: false, code: 'invalid', reason: '/args/url says where the bundle goes' };
    const sent = await sendDiagnosis(own, wish.data.url, bundle());
    return sent.ok
      ? { ok: true, value: { ...sent.value } }
      : { ok: false, code: sent.error.code, reason: sent.error.reason };
  },
});

/** Whether the services of this host answer, and behind that all that a technician tests on site. */
export async function wholeSelfTest(
  request: Parameters<RemoteOperation>[0],
  services: RemoteOperation | undefined,
  points: RemoteOperation | undefined,
): Promise<RemoteAnswer> {
  const [first, then] = [await services?.(request), await points?.(request)];
  if (then?.ok !== true) return first ?? { ok: false, code: 'notStarted', reason: 'this host is starting' };
  const checks = [first, then].flatMap((answer) => (answer?.ok ? (answer.value.checks as unknown[]) : []));
  return { ok: true, value: { ...then.value, checks } };
}

/** The last lines that are together no longer than this, as JSON. */
function newestWithin(lines: readonly string[], limitBytes: number): string[] {
  let left = limitBytes;
  const from = lines.findLastIndex((line) => {
    left -= Buffer.byteLength(JSON.stringify(line)) + 1;
    return left < 0;
  });
  return lines.slice(from + 1);
}

/** The cloud asks for the capture of a trace. */
export const captureOperations = (
  capture: Pick<CaptureStore, 'captureFor'> | undefined,
  site: Pick<SiteAgent, 'identity'>,
): Readonly<Record<string, RemoteOperation>> => ({
  'capture.export': async ({ args }) => {
    const own = site.identity;
    const wish = REMOTE_ARGS['capture.export'].safeParse(args);
    if (
      own === undefined ||
      !wish.success ||
      (wish.data.traceId === undefined && wish.data.callIds.length === 0)
    )
      return { ok: false, code: 'invalid', reason: '/args is not url with traceId or callIds' };
    if (capture === undefined)
      return {
        ok: false,
        code: 'captureOff',
        reason: 'this host captures no messages (CARILLON_CAPTURE is off)',
      };
    const { url, traceId, callIds, from, to, format } = wish.data;
    const { document, pcapng } = await capture.captureFor({ traceId, callIds, fromMs: from, toMs: to });
    const bytes = format === 'json' ? Buffer.from(JSON.stringify(document)) : pcapng;
    const sent = await putOnce(own, url, 'capture', bytes);
    if (!sent.ok) return { ok: false, code: sent.error.code, reason: sent.error.reason };
    const { messages, overwritten, oldestAt, cut } = document;
    return { ok: true, value: { ...sent.value, messages: messages.length, overwritten, oldestAt, cut } };
  },
});
