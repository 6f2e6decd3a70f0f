import type { Context } from 'hono';
import { createRouter } from './routing/api.ts';
import type { Api } from './routing/api-env.ts';
import type { AppPort } from './routing/port.ts';
import { refusal } from './routing/refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
};

const HOME = '/console/';
/** Files of the bundle have a hash in their names: what has a name never changes. */
const ASSET = 'asset/';

/** Files whose names stay the same. */
const ASKED = ['bell.svg', 'manifest.webmanifest', 'service-worker.js'] as const;

/** Stands in the page where the nonce of the response goes; the build writes it there (`installer/build/console.mjs`). */
const NONCE_PLACE = '__nonce__';

/**
 * Scripts and styles from here alone, and no page may frame it. Styles that the component library writes carry the nonce of
 * the response. It talks to here, and by WebSocket to the appliances of a tenant, whose addresses this page does not know:
 * the telephone's SIP goes there.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self' wss:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const;
const YEAR_S = 31_536_000;
const FOREVER = { 'Cache-Control': `public, max-age=${YEAR_S}, immutable` } as const;
/** A new version is seen with the next look. */
const ASK_AGAIN = { 'Cache-Control': 'no-cache' } as const;

/** Ways of packing that the build has made, the smaller one first, by their names in HTTP and in the folder. */
const PACKINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const NOT_THERE = {
  code: 'notFound',
  reason: 'The console has no file of this name. Load the page again.',
} as const;

type ReadFile = NonNullable<AppPort['consoleFile']>;

/** `/console/`: the web console, when it was built; the bare address leads there. */
export function consoleRouter({ consoleFile, random }: AppPort): Api {
  const router = createRouter();
  if (consoleFile === undefined) return router;
  router.get('/', (c) => c.redirect(HOME));
  router.get('/console', (c) => c.redirect(HOME));
  for (const name of ASKED)
    router.get(`${HOME}${name}`, async (c) => await file(c, consoleFile, name, ASK_AGAIN));
  router.get(`${HOME}${ASSET}:name`, (c) => file(c, consoleFile, `${ASSET}${c.req.param('name')}`, FOREVER));
  // Pages have addresses of their own, and the console finds out which one is shown.
  router.get(`${HOME}:page{[a-z-]*}`, (c) => page(c, consoleFile, random));
  router.get(`${HOME}:page{[a-z-]+}/*`, (c) => page(c, consoleFile, random));
  return router;
}

async function page(c: Context, read: ReadFile, random: AppPort['random']): Promise<Response> {
  const html = await read('index.html');
  if (html === undefined) return refusal(c, NOT_THERE);
  const nonce = Buffer.from(random(16)).toString('base64url');
  return c.body(new TextDecoder().decode(html).replaceAll(NONCE_PLACE, nonce), 200, {
    ...HEADERS,
    ...ASK_AGAIN,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(nonce),
  });
}

/** One file, packed as the client takes it. */
async function file(
  c: Context,
  read: ReadFile,
  name: string,
  caching: Readonly<Record<string, string>>,
): Promise<Response> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined) return refusal(c, NOT_THERE);
  const headers = { ...HEADERS, ...caching, 'Content-Type': type, Vary: 'Accept-Encoding' };
  const taken = (c.req.header('Accept-Encoding') ?? '').split(',').map((each) => each.trim().split(';')[0]);
  for (const [encoding, ending] of PACKINGS) {
    const packed = taken.includes(encoding) ? await read(`${name}${ending}`) : undefined;
    if (packed !== undefined) return c.body(packed, 200, { ...headers, 'Content-Encoding': encoding });
  }
  const bytes = await read(name);
  return bytes === undefined ? refusal(c, NOT_THERE) : c.body(bytes, 200, headers);
}
