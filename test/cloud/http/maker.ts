import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { type Answer, type Ask, ask, OWNER_TOKEN, type TestApi } from './api.ts';
import { type Browser, browse, browserOf, PASSWORD, pathOf } from './people.ts';

/** A person, token or key that makes others, and how it asks. */
export interface Maker {
  /** As the API names it. */
  readonly ref: string;
  readonly ask: (method: string, path: string, asked?: Omit<Ask, 'token'>) => Promise<Answer>;
  /** Undefined for a person, who comes with a cookie. */
  readonly token?: () => Promise<string>;
}

const byToken = (api: TestApi, ref: string, token: () => Promise<string>): Maker => ({
  ref,
  token,
  ask: async (method, path, asked = {}) => ask(api, method, path, { ...asked, token: await token() }),
});

export const platformOwner = (api: TestApi): Maker => ({
  ref: 'person:platform-owner',
  token: async () => OWNER_TOKEN,
  ask: (method, path, asked = {}) => ask(api, method, path, asked),
});

/** Refused makings say why. */
export function must(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

export async function makeToken(api: TestApi, by: Maker, domain: string, body: object = {}): Promise<Maker> {
  const { body: made } = must(await by.ask('POST', `/provisioning/apitoken/${domain}`, { body }));
  return byToken(api, `token:${String(made.id)}`, async () => String(made.token));
}

let kids = 0;

/** A key, and the JWTs that are signed with it at every request. */
export async function makeKey(
  api: TestApi,
  by: Maker,
  domain: string,
  scope?: string,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<Maker> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const kid = `k${++kids}`;
  const publicKey = await exportSPKI(pair.publicKey);
  const body = { alg: 'ES256', kid, publicKey, ...(scope === undefined ? {} : { scope }) };
  must(await by.ask('POST', `/provisioning/apikey/${domain}`, { body }));
  return byToken(api, `key:${kid}`, () => {
    const iat = Math.floor(api.clock.now / 1000);
    return new SignJWT({ sub: 'robot', iat, exp: iat + 600, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(pair.privateKey);
  });
}

/** Invites, takes the invitation up and signs in. */
export async function makePersonBy(
  api: TestApi,
  by: Maker,
  domain: string,
  email: string,
  role: string,
): Promise<Maker & { readonly id: string; readonly browser: Browser }> {
  const { body } = must(await by.ask('POST', `/provisioning/user/${domain}`, { body: { email, role } }));
  must(await ask(api, 'POST', pathOf(body.link), { token: null, body: { email, password: PASSWORD } }));
  const browser = await browserOf(api, email);
  const id = String(body.id);
  return {
    id,
    browser,
    ref: `person:${id}`,
    ask: (method, path, asked = {}) => browse(api, browser, method, path, asked),
  };
}

export const code = (answer: Answer): unknown => (answer.body.error as { code?: unknown } | undefined)?.code;
