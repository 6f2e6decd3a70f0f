import type { AuthorizeDevice } from '#shared/authorize/index.ts';
import type { AnswerOperation } from '../../operation/index.ts';
import { answerHealth, type HealthFacts } from '../http/index.ts';
import { answerAuthorize } from './authorize-page.ts';
import { answerRuntime, runtimePath } from './runtime-page.ts';

export interface SitePages {
  readonly authorize: AuthorizeDevice;
  readonly operate: AnswerOperation;
  readonly health: HealthFacts;
  readonly wallMs: () => number;
}

/** Everything the site answers over HTTPS, by path. */
export const sitePages =
  ({ authorize, operate, health, wallMs }: SitePages) =>
  (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/authorize') return answerAuthorize(request, authorize, wallMs());
    const operation = runtimePath(pathname);
    return operation === undefined
      ? answerHealth(request, health)
      : answerRuntime(request, operation, operate);
  };
