import { createRoute, z } from '@hono/zod-openapi';
import { oneAnswer } from '#shared/contract/provisioning/index.ts';
import type { Guard } from './gate.ts';
import { answers, jsonBody } from './operation.ts';
import { domainParam } from './param.ts';

/** Jobs of a tenant below one path; `example` is an id of one. */
interface Jobs<Path extends string, Job extends z.ZodType, Id extends string> {
  readonly path: Path;
  readonly tags: string[];
  readonly middleware: Guard;
  readonly job: Job;
  readonly example: Id;
}

interface Text {
  readonly summary: string;
  readonly description?: string;
}

/**
 * The routes of jobs that a tenant starts and reads: `POST path`, `GET path/{jobId}`. `params` and `below` are for the routes of
 * what a job leaves behind, which are not all alike.
 */
export function jobRoutes<const Path extends string, Job extends z.ZodType, const Id extends string>({
  path,
  tags,
  middleware,
  job,
  example,
}: Jobs<Path, Job, Id>) {
  const params = domainParam.extend({ jobId: z.string().meta({ description: 'Job', example }) });
  const responses = answers(oneAnswer('job', job));
  const below = `${path}/{jobId}` as const;
  return {
    params,
    below,
    start: <Request extends z.ZodType>(request: Request, text: Text) =>
      createRoute({
        ...{ path, tags, middleware, responses },
        ...text,
        method: 'post',
        request: { params: domainParam, body: jsonBody(request) },
      }),
    read: (text: Text) =>
      createRoute({
        ...{ tags, middleware, responses },
        ...text,
        method: 'get',
        path: below,
        request: { params },
      }),
  };
}
