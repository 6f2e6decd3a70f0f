/** The files of a built site, by their names below `/docs/`. */
export type DocumentationFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface DocumentationAnswer {
  readonly status: 200 | 302 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const ROOT = '/docs';

/**
 * Scripts and styles from here alone. The search is a WebAssembly module of the same place, which the browser compiles only
 * with `'wasm-unsafe-eval'`; no text becomes a script by it.
 */
const DOCUMENTATION_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': DOCUMENTATION_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
/** Parts of the search index, which the script of the search reads. */
const OTHER_TYPE = 'application/octet-stream';

/** Names that the build takes from the content never change; the others are asked for again. */
const FOREVER = /^(?:_astro\/|pagefind\/(?:fragment|index)\/)/;
const caching = (name: string): string =>
  FOREVER.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';

/** The answer to a path at or below `/docs`; the path of `/llms.txt` is given as `/docs/llms.txt`. */
export function documentationAnswer(path: string, files: DocumentationFiles): DocumentationAnswer {
  if (path !== ROOT && path.endsWith('/'))
    return { status: 302, headers: { ...HEADERS, Location: path.replace(/\/+$/, '') }, body: '' };
  const asked = path.slice(ROOT.length + 1);
  const name = [asked, asked === '' ? 'index.html' : `${asked}/index.html`].find((each) => files.has(each));
  const body = name === undefined ? undefined : files.get(name);
  if (name === undefined || body === undefined) return notThere(files);
  return {
    status: 200,
    headers: { ...HEADERS, 'Content-Type': typeOf(name), 'Cache-Control': caching(name) },
    body,
  };
}

const typeOf = (name: string): string => TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? OTHER_TYPE;

const notThere = (files: DocumentationFiles): DocumentationAnswer => ({
  status: 404,
  headers: { ...HEADERS, 'Content-Type': TYPES.html ?? '', 'Cache-Control': 'no-cache' },
  body: files.get('404.html') ?? 'The documentation has no page of this address. Begin at /docs.',
});
