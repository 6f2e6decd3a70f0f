import { type DocumentationFiles, documentationAnswer } from '#shared/documentation/index.ts';

const ROOT = '/docs';
/** Programs look for the index of a documentation at the root of a server. */
const INDEX = '/llms.txt';

export const isDocumentationPath = (pathname: string): boolean =>
  pathname === ROOT || pathname.startsWith(`${ROOT}/`) || pathname === INDEX;

/** The documentation as the control plane serves it, for a site without WAN. */
export async function answerDocumentation(
  { method }: Request,
  pathname: string,
  files: () => Promise<DocumentationFiles>,
): Promise<Response> {
  if (method !== 'GET')
    return Response.json(
      {
        success: false,
        reason: 'The request is refused: the documentation takes GET only. Send GET.',
        error: { code: 'methodNotAllowed' },
      },
      { status: 405, headers: { allow: 'GET' } },
    );
  const path = pathname === INDEX ? `${ROOT}${INDEX}` : pathname;
  const { status, headers, body } = documentationAnswer(path, await files());
  return new Response(body, { status, headers: { ...headers } });
}
