import type { AuthorizeDevice } from '#shared/authorize/index.ts';
import type { AnswerOperation } from '../../operation/index.ts';
import { answerHealth, type HealthFacts } from '../http/index.ts';
import { answerAuthorize } from './authorize-page.ts';
import { answerRecording, type RecordingPage, recordingPath } from './recording-page.ts';
import { answerRuntime, runtimePath } from './runtime-page.ts';
import { isTechnicianPath } from './technician-page.ts';

export interface SitePages {
  readonly authorize: AuthorizeDevice;
  readonly operate: AnswerOperation;
  readonly health: HealthFacts;
  readonly wallMs: () => number;
  /** Recordings of this site; absent: there are none. */
  readonly recordings?: RecordingPage;
  /** The technician's page; absent: there is none. */
  readonly technician?: (request: Request) => Promise<Response>;
}

/** Everything the site answers over HTTPS, by path. */
export const sitePages =
  ({ authorize, operate, health, wallMs, recordings, technician }: SitePages) =>
  (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/authorize') return answerAuthorize(request, authorize, wallMs());
    if (technician !== undefined && isTechnicianPath(pathname)) return technician(request);
    const recording = recordings && recordingPath(pathname);
    if (recordings !== undefined && recording !== undefined)
      return answerRecording(request, recording, recordings);
    const operation = runtimePath(pathname);
    return operation === undefined
      ? answerHealth(request, health)
      : answerRuntime(request, operation, operate);
  };
