import { type Answer, type Ask, ask, type TestApi } from './api.ts';

/** A browser with one cookie and the answer to its sign-in. */
export interface Browser {
  readonly cookie: string;
  readonly csrfToken: string;
}

export const PASSWORD = 'correct horse battery';

const COOKIE = '__Host-carillon';

export const signIn = (api: TestApi, email: string, password = PASSWORD): Promise<Answer> =>
  ask(api, 'POST', '/session', { token: null, body: { email, password } });

export async function browserOf(api: TestApi, email: string, password = PASSWORD): Promise<Browser> {
  const answer = await signIn(api, email, password);
  if (answer.status !== 200) throw new Error(`no session for ${email}: ${JSON.stringify(answer.body)}`);
  const cookie = new RegExp(`${COOKIE}=([^;]+)`).exec(answer.headers.get('Set-Cookie') ?? '')?.[1] ?? '';
  return { cookie, csrfToken: String(answer.body.csrfToken) };
}

/** A request as the console sends it. */
export const browse = (
  api: TestApi,
  { cookie, csrfToken }: Browser,
  method: string,
  path: string,
  asked: Omit<Ask, 'token'> = {},
): Promise<Answer> =>
  ask(api, method, path, {
    ...asked,
    token: null,
    headers: {
      Cookie: `${COOKIE}=${cookie}`,
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
      ...asked.headers,
    },
  });

/** The path of a link, with its code. */
export const pathOf = (link: unknown): string => new URL(String(link)).pathname;

/** A person with an account and a role, and a browser signed in. */
export async function makePerson(
  api: TestApi,
  domain: string,
  email: string,
  role: string,
): Promise<Browser> {
  const invited = await ask(api, 'POST', `/provisioning/user/${domain}`, { body: { email, role } });
  const body = { email, password: PASSWORD };
  const taken = await ask(api, 'POST', pathOf(invited.body.link), { token: null, body });
  if (taken.status !== 200) throw new Error(`${email} was not set up: ${JSON.stringify(taken.body)}`);
  return await browserOf(api, email);
}
