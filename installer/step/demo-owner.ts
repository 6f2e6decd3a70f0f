/** The owner of the demo tenant: a person like any other, with a password that the demo makes and shows. */
export const DEMO_OWNER = 'owner@demo.carillon.test';

type Answer = Readonly<Record<string, unknown>>;
type Call = (method: string, path: string, body?: unknown, already?: boolean) => Promise<Answer>;

/** Invites the owner and takes the invitation up, as a person would by the link. Done once; again it changes nothing. */
export async function makeDemoOwner(call: Call, domain: string, password: string): Promise<void> {
  const invited = await call(
    'POST',
    `/provisioning/user/${domain}`,
    { email: DEMO_OWNER, role: 'owner' },
    true,
  );
  if (typeof invited.link !== 'string' || !invited.link.includes('/setup/')) return;
  await call('POST', new URL(invited.link).pathname, {
    email: DEMO_OWNER,
    password,
    firstName: 'Demo',
    lastName: 'Owner',
  });
}

/** An API token that acts for the owner, made in a session; undefined when the password is no longer the demo's. */
export async function tokenOfDemoOwner(
  baseUrl: string,
  domain: string,
  password: string,
): Promise<string | undefined> {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const session = await post('/session', { email: DEMO_OWNER, password });
  if (!session.ok) return undefined;
  const { csrfToken } = (await session.json()) as { csrfToken: string };
  const signedIn = {
    cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': csrfToken,
  };
  const made = await post(`/provisioning/apitoken/${domain}`, { name: 'demo' }, signedIn);
  const { token } = (await made.json()) as { token?: string };
  await fetch(`${baseUrl}/session`, { method: 'DELETE', headers: signedIn });
  return token;
}
