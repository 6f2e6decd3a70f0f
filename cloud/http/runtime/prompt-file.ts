import { createRoute, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import {
  PROMPT_TYPES,
  promptFileChangedSchema,
  promptFileListSchema,
  promptFileMoveSchema,
  promptFileNameField,
  promptFileUrlSchema,
} from '#shared/contract/runtime/index.ts';
import { mediaTypeOf, type PromptFiles } from '../../provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv, HttpCall } from '../routing/api-env.ts';
import { visitor } from '../routing/call.ts';
import type { Gate } from '../routing/gate.ts';
import { afterOf, continuedAt } from '../routing/next-token.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const PAGE = 100;
const tags = ['Prompt files'];
const fileParam = domainParam.extend({ filename: promptFileNameField });
const listQuery = z.object({
  next: z.string().optional().meta({ description: '`next` of the previous page' }),
});
const signedQuery = z.object({
  domain: z.string().meta({ description: 'Tenant' }),
  name: promptFileNameField,
  expires: z.string().meta({ description: 'End of validity, epoch seconds' }),
  maker: z
    .string()
    .optional()
    .meta({ description: 'Requester of the URL; the URL is valid while the requester may read the file' }),
  signature: z.string().meta({ description: 'HMAC of the URL' }),
});

const sound = z.string().meta({ format: 'binary', description: 'The content of the file' });
const soundContent = Object.fromEntries(PROMPT_TYPES.map((type) => [type, { schema: sound }]));
const AUDIO_BODY = {
  required: true,
  description: 'WAV, MP3 or OGG, at most 50 MiB and 2 h',
  content: soundContent,
} as const;
const audioAnswer = {
  ...answers(sound),
  200: { description: 'The file', content: soundContent },
  206: { description: 'The part of the file that the header Range asks for', content: soundContent },
  416: { description: 'The header Range begins behind the end of the file; Content-Range holds its size' },
} as const;
/** Headers of a reader that wants a part (RFC 9110, 14). */
const partHeaders = z.object({
  range: z.string().optional().meta({
    description: 'Part of the file that is wanted; one range of bytes',
    example: 'bytes=0-65535',
  }),
  'if-range': z.string().optional().meta({
    description: 'ETag of an earlier answer: a file that changed meanwhile is sent whole',
    example: '"3f1c"',
  }),
});

/**
 * Prompt storage (document 3, 4.1), under both bases that the documents name. The path of one file is `/{domain}/promptfile` by
 * the letter of document 3, `/mediaservice/{domain}/promptfile` by the project's decisions.
 */
export const promptFileRouter =
  (files: PromptFiles, nowMs: () => number) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const base of ['/mediaservice/{domain}', '/{domain}']) addRoutes(router, gate, files, nowMs, base);
    return router;
  };

function addRoutes(router: Api, gate: Gate, files: PromptFiles, nowMs: () => number, base: string): void {
  const reading = gate.tenant('provisioning', 'reading', 'provisioning');
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const path = `${base}/promptfile`;
  const one = `${path}/{filename}` as string;

  router.openapi(
    createRoute({
      method: 'get',
      path: path as string,
      tags,
      summary: 'List prompt files and recordings',
      middleware: reading,
      request: { params: domainParam, query: listQuery },
      responses: answers(promptFileListSchema),
    }),
    async (c) => {
      const after = afterOf(c.req.valid('query').next);
      if (!after.ok) return refusal(c, after.error);
      const { items, next } = await files.list(c.var.tenant.id, after.value, PAGE);
      const listed = items.map(({ name, size, origin, durationMs, updatedAt }) => ({
        ...{ name, size, origin, durationMs, updatedAt },
      }));
      return c.json(
        { success: true as const, next: continuedAt(next).nextToken ?? null, files: listed },
        200,
      );
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: one,
      tags,
      summary: 'Upload or replace a prompt file',
      middleware: [writing, audioOnly],
      request: { params: fileParam, body: AUDIO_BODY },
      responses: answers(promptFileChangedSchema),
    }),
    async (c) => {
      const { filename } = c.req.valid('param');
      const result = await files.put(c.var.call, filename, c.req.raw.body);
      return result.ok ? c.json({ success: true as const, ...result.value }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      tags,
      summary: 'Download a prompt file or recording',
      middleware: reading,
      request: { params: fileParam, headers: partHeaders },
      responses: audioAnswer,
    }),
    async (c) =>
      await sent(c.var.call, c.req.valid('param').filename, files, conditionsOf(c), (failure) =>
        refusal(c, failure),
      ),
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: 'Delete a prompt file',
      middleware: writing,
      request: { params: fileParam },
      responses: answers(promptFileChangedSchema),
    }),
    async (c) => {
      const result = await files.remove(c.var.call, c.req.valid('param').filename);
      return result.ok ? c.json({ success: true as const, ...result.value }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${one}/url` as string,
      tags,
      summary: 'Create a URL that opens the file without a token for 15 minutes',
      middleware: reading,
      request: { params: fileParam },
      responses: answers(promptFileUrlSchema),
    }),
    async (c) => {
      const result = await files.url(c.var.call, c.req.valid('param').filename, nowMs());
      if (!result.ok) return refusal(c, result.error);
      const { url, mediaType } = result.value;
      return c.json({ success: true as const, url, 'Content-Type': mediaType }, 200);
    },
  );

  for (const method of ['post', 'put'] as const) {
    router.openapi(
      createRoute({
        method,
        path: `${one}/move` as string,
        tags,
        summary: 'Move a prompt file or recording to the object store',
        middleware: writing,
        request: { params: fileParam, body: jsonBody(promptFileMoveSchema) },
        responses: answers(promptFileChangedSchema),
      }),
      async (c) => {
        const result = await files.move(c.var.call, c.req.valid('param').filename, c.req.valid('json'));
        return result.ok
          ? c.json({ success: true as const, ...result.value }, 200)
          : refusal(c, result.error);
      },
    );
  }
}

/** Where signed URLs lead; who has one needs no token. */
export const signedPromptRouter =
  (
    files: PromptFiles,
    tenantOf: (domain: string) => Promise<{ readonly id: string } | undefined>,
    nowMs: () => number,
  ) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/promptfile',
        tags,
        security: [],
        summary: 'Download the file of a signed URL',
        middleware: gate.open('provisioning'),
        request: { query: signedQuery, headers: partHeaders },
        responses: audioAnswer,
      }),
      async (c) => {
        const url = c.req.valid('query');
        const { domain, name } = url;
        const tenant = await tenantOf(domain);
        if (tenant === undefined || !(await files.mayOpen(tenant.id, url, nowMs())))
          return refusal(c, {
            code: 'forbidden',
            reason: 'The file is not sent: this URL is not valid or has expired. Request a new URL.',
          });
        const actor = { ...visitor(c, nowMs()), name: 'signed url' };
        const call = { tenant: tenant.id, domain, actor };
        return await sent(call, name, files, conditionsOf(c), (failure) => refusal(c, failure));
      },
    );
    return router;
  };

const conditionsOf = (c: Context<ApiEnv>) => ({
  range: c.req.header('Range'),
  ifRange: c.req.header('If-Range'),
});

async function sent<R>(
  call: HttpCall,
  name: string,
  files: PromptFiles,
  conditions: ReturnType<typeof conditionsOf>,
  refused: (failure: { readonly code: string; readonly reason: string }) => R,
) {
  const opened = await files.open(call, name, conditions);
  if (!opened.ok) {
    const { error } = opened;
    if (error.code === 'rangeInvalid' && 'size' in error) return notThere(error);
    return error.code === 'hostUnreachable' ? notNow(error) : refused(error);
  }
  const { row, bytes, range } = opened.value;
  const file = name.split('/').at(-1) ?? name;
  return new Response(bytes, {
    status: range === undefined ? 200 : 206,
    headers: {
      'Content-Type': mediaTypeOf(row),
      'Accept-Ranges': 'bytes',
      'Content-Length': String(range === undefined ? row.size : range.last - range.first + 1),
      ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${row.size}` }),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
      ...('sha256' in row && { ETag: `"${row.sha256}"` }),
      // A file of a stranger is sound and nothing else to a browser.
      'X-Content-Type-Options': 'nosniff',
    },
  }) as never;
}

/** A range that begins behind the end of the file: 416 with its size. */
function notThere({
  reason,
  code,
  size,
}: {
  readonly code: string;
  readonly reason: string;
  readonly size: number;
}) {
  const headers = { 'Content-Range': `bytes */${size}` };
  return Response.json({ success: false, reason, error: { code } }, { status: 416, headers }) as never;
}

/** A recording that lies at a host which does not send it: 503, for it may be asked for again. */
function notNow({ reason, code }: { readonly code: string; readonly reason: string }) {
  const headers = { 'Retry-After': '10' };
  return Response.json({ success: false, reason, error: { code } }, { status: 503, headers }) as never;
}

/** Before the body is read: its type names sound. */
const audioOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if ((PROMPT_TYPES as readonly string[]).includes(type)) return await next();
  c.header('Connection', 'close');
  return refusal(c, {
    code: 'unsupportedMediaType',
    reason: `The file cannot be stored: its media type is not supported. Send it as one of ${PROMPT_TYPES.join(', ')}.`,
  });
};
