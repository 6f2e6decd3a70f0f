import {
  type Client,
  createClient,
  type Fetch,
  type Input,
  type OperationName,
} from '#shared/client/index.ts';
import { CSRF_HEADER } from '#shared/contract/access/index.ts';
import { followClock } from './clock.ts';
import { csrfToken, passwordAgain, sessionEnded } from './session.ts';

/** Signs a device in, not the person: its 401 is about the device's password. */
const AUTHORIZE = `${location.origin}/authorize`;

/** An act that a person must not be talked into at an unattended screen is refused some minutes after her sign-in. */
async function needsPassword(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  // A proxy in between refuses with a page.
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: string } };
  return error?.code === 'reauthenticationRequired';
}

/** As `sendOnce`; an act that needs the password once more is asked for again when the person has entered it. */
const send = async (url: string, init: Parameters<Fetch>[1]): Promise<Response> => {
  const answer = await sendOnce(url, init);
  if (!(await needsPassword(answer))) return answer;
  return (await passwordAgain()) ? await sendOnce(url, init) : answer;
};

const sendOnce = async (url: string, { method, headers, body }: Parameters<Fetch>[1]): Promise<Response> => {
  const { Authorization: _, ...sent } = headers;
  const askedMs = Date.now();
  const answer = await fetch(url, {
    method,
    headers: method === 'GET' ? sent : { ...sent, [CSRF_HEADER]: csrfToken() },
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body }),
  });
  followClock(answer.headers.get('Date'), askedMs, Date.now());
  if (answer.status === 401 && url !== AUTHORIZE) sessionEnded();
  return answer;
};

const clientOf = (send: Fetch): Client =>
  createClient({ baseUrl: location.origin, token: () => '', fetch: send });

/**
 * The public API, as everybody else uses it. The browser sends the session's cookie by itself; a writing request
 * carries the session's token beside it.
 */
export const api: Client = clientOf(send);

/** As `api.call`, with the ETag of the answer: `If-Match` sends it back, so that no change of another person is lost. */
export async function callTagged<Name extends OperationName>(name: Name, input: Input<Name>) {
  let etag = '';
  const client = clientOf(async (url, init) => {
    const answer = await send(url, init);
    etag = answer.headers.get('ETag') ?? '';
    return answer;
  });
  return { answer: await client.call(name, input), etag };
}
