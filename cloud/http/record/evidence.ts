import { createRoute, z } from '@hono/zod-openapi';
import type { EvidenceMaker } from '../../record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';
import { mayCapture, NOT_ALLOWED } from './capture.ts';
import { recordParam, recordTags } from './record.ts';

const archive = z.string().meta({ format: 'binary', description: 'tar, gzip' });
const responses = answers(
  archive,
  'Record, trace, deliveries and hashes of a session, signed by the platform',
);
const { content } = responses[200];

/** `GET /record/{domain}/{recordId}/evidence`. */
export const recordEvidenceRouter =
  (evidence: Pick<EvidenceMaker, 'make'>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/evidence',
        tags: recordTags,
        summary: 'Download the evidence of a session, signed by the platform',
        description:
          'Needs the right of a capture. Each access stands in the audit log. The file is personal data: it names its owner, its expiry and the limits of an erasure.',
        middleware: gate.tenant('capture', 'reading', 'lifecycle'),
        request: { params: recordParam },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'application/gzip': content['application/json'] } },
        },
      }),
      async (c) => {
        if (!mayCapture(c)) return refusal(c, NOT_ALLOWED);
        const { recordId } = c.req.valid('param');
        const result = await evidence.make(c.var.call, recordId);
        if (!result.ok) return refusal(c, result.error);
        return c.body(new Uint8Array(result.value), 200, {
          'Content-Type': 'application/gzip',
          'Content-Disposition': `attachment; filename="carillon-evidence-${recordId}.tar.gz"`,
          'Cache-Control': 'no-store',
        });
      },
    );
    return router;
  };
