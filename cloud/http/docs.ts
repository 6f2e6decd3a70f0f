import { type DocumentationAnswer, documentationAnswer } from '#shared/documentation/index.ts';
import { createRouter } from './routing/api.ts';
import type { Api } from './routing/api-env.ts';
import type { AppPort } from './routing/port.ts';

/** Everything the try-it page loads; nothing else of the package is served. */
const ASSETS = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
} as const;

const TRY = '/docs/try';

const TRY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carillon API</title>
<link rel="stylesheet" href="${TRY}/swagger-ui.css">
<link rel="icon" href="${TRY}/favicon-32x32.png">
</head>
<body>
<div id="page"></div>
<script src="${TRY}/swagger-ui-bundle.js"></script>
<script src="${TRY}/start.js"></script>
</body>
</html>
`;

// The default validator of the page would send the document to a server on the Internet. The operations are folded: 250 of
// them unfolded take seconds to draw.
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
});
`;

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Carillon documentation</title></head>
<body>
<h1>The documentation is not built yet</h1>
<p>This control plane runs from a checkout. Build the documentation with <code>npm run docs</code> and load this page again after
a restart. The same pages can be read as Markdown in the folder <code>docs</code>.</p>
<ul>
<li><a href="${TRY}">Try the API</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
</body>
</html>
`;

/** `/docs`: the documentation, and below it the page on which the API is tried; every asset is served from here. */
export function docsRouter({ docsAsset, documentation }: AppPort): Api {
  const router = createRouter();
  router.get(TRY, (c) => c.html(TRY_PAGE, 200, HEADERS));
  router.get(`${TRY}/start.js`, (c) => c.body(START, 200, { ...HEADERS, 'Content-Type': 'text/javascript' }));
  for (const [file, type] of Object.entries(ASSETS)) {
    router.get(`${TRY}/${file}`, async (c) =>
      c.body(await docsAsset(file), 200, {
        ...HEADERS,
        'Content-Type': type,
        'Cache-Control': 'max-age=86400',
      }),
    );
  }
  if (documentation === undefined) {
    router.get('/docs', (c) => c.html(NOT_BUILT, 200, HEADERS));
    return router;
  }
  const answer = async (path: string): Promise<Response> =>
    responseOf(documentationAnswer(path, await documentation()));
  router.get('/llms.txt', () => answer('/docs/llms.txt'));
  router.get('/docs', () => answer('/docs'));
  router.get('/docs/*', (c) => answer(c.req.path));
  return router;
}

const responseOf = ({ status, headers, body }: DocumentationAnswer): Response =>
  new Response(body, { status, headers: { ...headers } });
