import { type Client, createClient } from '#shared/client/index.ts';
import { CSRF_HEADER } from '#shared/contract/access/index.ts';
import { csrfToken, sessionEnded } from './session.ts';

/** Signs a device in, not the person: its 401 is about the device's password. */
const AUTHORIZE = `${location.origin}/authorize`;

/**
 * The public API, as everybody else uses it. The browser sends the session's cookie by itself; a writing request
 * carries the session's token beside it.
 */
export const api: Client = createClient({
  baseUrl: location.origin,
  token: () => '',
  fetch: async (url, { method, headers, body }) => {
    const { Authorization: _, ...sent } = headers;
    const answer = await fetch(url, {
      method,
      headers: method === 'GET' ? sent : { ...sent, [CSRF_HEADER]: csrfToken() },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status === 401 && url !== AUTHORIZE) sessionEnded();
    return { status: answer.status, text: () => answer.text() };
  },
});
