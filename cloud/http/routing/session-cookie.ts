import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/**
 * Over https the cookie is bound to this host and this scheme by its name (RFC 6265bis 4.1.3.2); on plain loopback, where
 * no browser would take that, it is a plain one.
 */
const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-carillon' : 'carillon';

export const sessionCookie = (c: Context, publicUrl: string): string | undefined =>
  getCookie(c, nameFor(publicUrl));

export const setSessionCookie = (c: Context, publicUrl: string, cookie: string, lifeS: number): void =>
  set(c, publicUrl, { name: nameFor(publicUrl), cookie, lifeS });

const browserNameFor = (publicUrl: string): string => `${nameFor(publicUrl)}-browser`;
const BROWSER_LIFE_S = 180 * 86_400;

/** Mark of a browser in which a person has signed in: it opens nothing, and no guessing of others delays it. */
export const browserCookie = (c: Context, publicUrl: string): string | undefined =>
  getCookie(c, browserNameFor(publicUrl));

export const setBrowserCookie = (c: Context, publicUrl: string, cookie: string): void =>
  set(c, publicUrl, { name: browserNameFor(publicUrl), cookie, lifeS: BROWSER_LIFE_S });

/** Strict: no request that another site started carries it. No script reads it. */
function set(
  c: Context,
  publicUrl: string,
  { name, cookie, lifeS }: { readonly name: string; readonly cookie: string; readonly lifeS: number },
): void {
  setCookie(c, name, cookie, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: lifeS,
  });
}

export const clearSessionCookie = (c: Context, publicUrl: string): void =>
  setSessionCookie(c, publicUrl, '', 0);
