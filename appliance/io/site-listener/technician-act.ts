import { isTechnicianPath } from './technician-page.ts';

/** The acts of a person at the machine that others should know of; requests that only read are not reported. */
const ACTS: Readonly<Record<string, string>> = {
  'POST /api/session': 'signIn',
  'POST /api/selftest': 'selfTest',
  'POST /api/probe/alarm': 'testAlarm',
  'POST /api/probe/call': 'testCall',
  'GET /api/bundle': 'supportBundle',
  'GET /api/capture': 'capture',
};

type Pages = (request: Request, source: string) => Promise<Response>;

/**
 * The same pages; each act there that was not refused is reported. `by`: the technician who has signed in, or a command of this
 * machine with its key.
 */
export const withActs =
  (pages: Pages, tell: (act: string, by: 'technician' | 'command') => void): Pages =>
  async (request, source) => {
    const answer = await pages(request, source);
    const { pathname } = new URL(request.url);
    const path = pathname.replace(/^\/technician/, '').replace(/\/$/, '');
    const act = isTechnicianPath(pathname) ? ACTS[`${request.method} ${path}`] : undefined;
    if (act !== undefined && answer.ok)
      tell(act, request.headers.has('authorization') ? 'command' : 'technician');
    return answer;
  };
