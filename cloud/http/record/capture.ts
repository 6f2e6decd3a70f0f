import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type ErrorAnswer, oneAnswer } from '#shared/contract/provisioning/index.ts';
import { sessionCaptureSchema } from '#shared/contract/session-record/index.ts';
import type { Failure } from '#shared/result.ts';
import type { CaptureRelay } from '../../record/index.ts';
import { isAllowed } from '../../tenant/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';
import { remoteFailures } from '../site/remote-status.ts';
import { recordParam, recordTags } from './record.ts';

const packets = z.string().meta({ format: 'binary', description: 'pcapng' });
const fileAnswers = answers(packets, 'Capture file (pcapng); its comment names the hosts');
const { content } = fileAnswers[200];
const ofHosts = {
  502: remoteFailures[502],
  504: remoteFailures[504],
} as const;
const jsonAnswers = { ...answers(oneAnswer('capture', sessionCaptureSchema)), ...ofHosts } as const;
const DESCRIPTION =
  'Needs the scope capture where the token has scopes, and the role operator or technician. Each access stands in the audit log. ' +
  'The answer is 409 hostAway when no host sent its part and one is not connected.';

/** Captures are for those who operate or maintain, and for tokens that say so: `read` does not open them. */
export const mayCapture = (c: Context<ApiEnv>): boolean =>
  isAllowed(c.var.principal, 'capture', 'operation') || isAllowed(c.var.principal, 'capture', 'lifecycle');

/** `GET /record/{domain}/{recordId}/capture.json` and `capture.pcap`. */
export const recordCaptureRouter =
  (captures: Pick<CaptureRelay, 'json' | 'pcapng'>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.tenant('capture', 'reading', 'lifecycle');
    router.use('/record/:domain/:recordId/capture.json', packedAnswer());

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/capture.json',
        tags: recordTags,
        summary: 'Read the messages of a session, fetched from the hosts of its site',
        description: DESCRIPTION,
        middleware,
        request: { params: recordParam },
        responses: jsonAnswers,
      }),
      async (c) => {
        if (!mayCapture(c)) return refusal(c, NOT_ALLOWED);
        const result = await captures.json(c.var.call, c.req.valid('param').recordId);
        if (!result.ok) return refused(c, result.error);
        c.header('Cache-Control', 'no-store');
        return c.json({ success: true as const, capture: result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/capture.pcap',
        tags: recordTags,
        summary: 'Download the messages of a session for Wireshark',
        description: `${DESCRIPTION} The headers X-Capture-Hosts, X-Capture-Missing and X-Capture-Overwritten name the hosts.`,
        middleware,
        request: { params: recordParam },
        responses: {
          ...fileAnswers,
          200: { ...fileAnswers[200], content: { 'application/x-pcapng': content['application/json'] } },
          ...ofHosts,
        },
      }),
      async (c) => {
        if (!mayCapture(c)) return refusal(c, NOT_ALLOWED);
        const { recordId } = c.req.valid('param');
        const result = await captures.pcapng(c.var.call, recordId);
        if (!result.ok) return refused(c, result.error);
        const { bytes, hosts, overwritten } = result.value;
        const names = (states: readonly string[]) =>
          hosts
            .filter(({ state }) => states.includes(state))
            .map(({ hostId }) => hostId)
            .join(', ');
        return c.body(new Uint8Array(bytes), 200, {
          'Content-Type': 'application/x-pcapng',
          'Content-Disposition': `attachment; filename="carillon-${recordId}.pcapng"`,
          'Cache-Control': 'no-store',
          'X-Capture-Hosts': names(['sent']),
          'X-Capture-Missing': names(['away', 'failed']),
          'X-Capture-Overwritten': String(overwritten),
        });
      },
    );
    return router;
  };

export const NOT_ALLOWED = {
  code: 'forbidden',
  reason:
    'The messages of the session are not shown: the caller has not the scope capture, or is neither operator nor technician. Use a token with the scope capture.',
};

const STATUS: Readonly<Record<string, 502 | 504>> = { hostRefused: 502, hostSilent: 504 };

/** As `refusal`, with the statuses of hosts. */
function refused(c: Context<ApiEnv>, failure: Failure) {
  const status = STATUS[failure.code];
  if (status === undefined) return refusal(c, failure);
  c.set('refused', failure);
  const { reason, ...error } = failure;
  const body: ErrorAnswer = { success: false, reason, error };
  return c.json(body, status);
}
