import type { AuthorizeDevice } from '#shared/authorize/index.ts';
import type { DocumentationFiles } from '#shared/documentation/index.ts';
import type { AnswerOperation } from '../../operation/index.ts';
import { answerAuthorize } from './authorize-page.ts';
import { answerDocumentation, isDocumentationPath } from './documentation-page.ts';
import { answerHealth, type HealthInfo } from './health-page.ts';
import { answerRecord, type RecordPage, recordPath } from './record-page.ts';
import { answerRecording, type RecordingPage, recordingPath } from './recording-page.ts';
import { answerRuntime, runtimePath } from './runtime-page.ts';
import { isTechnicianPath } from './technician-page.ts';

export interface SitePages {
  readonly authorize: AuthorizeDevice;
  readonly operate: AnswerOperation;
  readonly health: HealthInfo;
  readonly wallMs: () => number;
  /** Recordings of this site; absent: there are none. */
  readonly recordings?: RecordingPage;
  /** Records of sessions; absent: there are none. */
  readonly records?: RecordPage;
  /** The technician's page; absent: there is none. */
  readonly technician?: TechnicianRoutes;
  /** The documentation; absent: it was not built. */
  readonly documentation?: () => Promise<DocumentationFiles>;
}

export interface TechnicianRoutes {
  readonly pages: (request: Request, source: string) => Promise<Response>;
  /**
   * Decides by the header Authorization whether a client may read the figures; absent: everybody, on a listener that only this
   * machine reaches.
   */
  readonly mayMonitor?: ((authorization: string | undefined) => Promise<boolean>) | undefined;
}

/** Everything the site answers over HTTPS, by path. */
export const sitePages =
  ({ authorize, operate, health, wallMs, recordings, records, technician, documentation }: SitePages) =>
  (request: Request, source: string): Response | Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/authorize') return answerAuthorize({ request, source }, authorize, wallMs());
    if (technician !== undefined && isTechnicianPath(pathname)) return technician.pages(request, source);
    if (documentation !== undefined && isDocumentationPath(pathname))
      return answerDocumentation(request, pathname, documentation);
    const recording = recordings && recordingPath(pathname);
    if (recordings !== undefined && recording !== undefined)
      return answerRecording(request, recording, recordings);
    const record = records && recordPath(pathname);
    if (records !== undefined && record !== undefined) return answerRecord(request, record, records);
    const operation = runtimePath(pathname);
    if (operation !== undefined) return answerRuntime(request, operation, operate);
    return pathname === '/metrics' && technician?.mayMonitor !== undefined
      ? answerFigures(request, health, technician.mayMonitor)
      : answerHealth(request, health);
  };

async function answerFigures(
  request: Request,
  health: HealthInfo,
  may: NonNullable<TechnicianRoutes['mayMonitor']>,
): Promise<Response> {
  if (await may(request.headers.get('authorization') ?? undefined)) return answerHealth(request, health);
  const reason =
    'The request is not authenticated: it carries no token of this tenant. Send the header Authorization: Bearer <token>.';
  return Response.json(
    { success: false, reason, error: { code: 'unauthorized' } },
    { status: 401, headers: { 'www-authenticate': 'Bearer realm="carillon"' } },
  );
}
