import { createRouter } from './routing/api.ts';
import type { Api } from './routing/api-env.ts';
import type { AppPort } from './routing/port.ts';

/** Everything the console is made of; nothing else of its folder is served. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'softphone.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'bell.svg': 'image/svg+xml',
} as const;

/**
 * Scripts and styles from here alone, and no page may frame it. It talks to here, and by WebSocket to the appliances of a tenant,
 * whose addresses this page does not know: the telephone's SIP goes there.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' wss:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A new version is seen with the next look; the files are small.
  'Cache-Control': 'no-cache',
} as const;

const HOME = '/console/';

/** `/console/`: the web console, when it was built; the bare address leads there. */
export function consoleRouter({ consoleFile }: AppPort): Api {
  const router = createRouter();
  if (consoleFile === undefined) return router;
  router.get('/', (c) => c.redirect(HOME));
  router.get('/console', (c) => c.redirect(HOME));
  for (const [file, type] of Object.entries(FILES)) {
    router.get(file === 'index.html' ? HOME : `${HOME}${file}`, async (c) =>
      c.body(await consoleFile(file), 200, { ...HEADERS, 'Content-Type': type }),
    );
  }
  return router;
}
