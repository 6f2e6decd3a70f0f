import { createRouter } from './routing/api.ts';
import type { Api } from './routing/api-env.ts';
import type { AppPort } from './routing/port.ts';

/** Everything the page loads; nothing else of the package is served. */
const ASSETS = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
} as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carillon API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// The default validator of the page would send the document to a server on the Internet.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', validatorUrl: null, deepLinking: true });\n`;

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** `/docs`: the API to browse, every asset served from here. */
export function docsRouter({ docsAsset }: AppPort): Api {
  const router = createRouter();
  router.get('/docs', (c) => c.html(PAGE, 200, HEADERS));
  router.get('/docs/start.js', (c) => c.body(START, 200, { ...HEADERS, 'Content-Type': 'text/javascript' }));
  for (const [file, type] of Object.entries(ASSETS)) {
    router.get(`/docs/${file}`, async (c) =>
      c.body(await docsAsset(file), 200, {
        ...HEADERS,
        'Content-Type': type,
        'Cache-Control': 'max-age=86400',
      }),
    );
  }
  return router;
}
