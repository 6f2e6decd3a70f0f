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

/** Strict: no request that another site started carries it. No script reads it. */
export function setSessionCookie(c: Context, publicUrl: string, cookie: string, lifeS: number): void {
  setCookie(c, nameFor(publicUrl), cookie, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: lifeS,
  });
}

export const clearSessionCookie = (c: Context, publicUrl: string): void =>
  setSessionCookie(c, publicUrl, '', 0);
