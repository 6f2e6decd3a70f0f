import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Files of a site by their names below `/docs/`. */
export type SiteFiles = Map<string, Buffer>;

/** Parts of Pagefind that no page of ours loads: Starlight brings its own window for the search. */
const UNUSED =
  /^pagefind\/pagefind-(?:ui|component-ui|modular-ui|highlight)\b|^sitemap|^pagefind\/wasm\.unknown\b/;
/** Pagefind packs these by gzip and reads them unpacked too; unpacked they share their words with the pages. */
const ZIPPED = /\.(?:pf_fragment|pf_index|pf_meta|pagefind|pf_filter)$/;
const GZIP_MAGIC = 0x1f8b;

/** The site as the build of Starlight left it in `folder`, made fit for a policy without `unsafe-inline`. */
export function finishedSite(folder: string): SiteFiles {
  const files: SiteFiles = new Map();
  for (const name of globSync('**/*', { cwd: folder }).toSorted()) {
    if (UNUSED.test(name) || !/\.\w+$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    files.set(name, ZIPPED.test(name) && bytes.readUInt16BE() === GZIP_MAGIC ? gunzipSync(bytes) : bytes);
  }
  return withoutInline(files);
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const INLINE_STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g;
const STYLED_TAG = /<[a-zA-Z][\w-]*(?:\s+[^\s=>"'/]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*\/?>/g;
const STYLE = /\sstyle="([^"]*)"/;
/** The highlighter finds its tokens by their style attribute, which becomes a class here. */
const TOKEN_SELECTOR = /span\[style\^=(?:'--'|"--"|--)\]:not\(\[class\]\)/g;

/** Scripts and styles that stand in pages become files: the policy of the pages allows no others. */
export function withoutInline(files: SiteFiles): SiteFiles {
  const made: SiteFiles = new Map();
  const classes = new Map<string, string>();
  const sheets = new Set<string>();
  const asFile = (text: string, ending: string): string => {
    const name = `_astro/page.${hashOf(text)}.${ending}`;
    made.set(name, Buffer.from(text));
    return `/docs/${name}`;
  };
  const classOf = (style: string): string => {
    const name = classes.get(style) ?? `s-${classes.size.toString(36)}`;
    classes.set(style, name);
    return name;
  };
  for (const [name, bytes] of files) {
    if (!name.endsWith('.html')) continue;
    const text = bytes
      .toString('utf8')
      .replaceAll(INLINE_SCRIPT, (whole: string, attributes: string, script: string) =>
        attributes.includes('json') || script.trim() === ''
          ? whole
          : `<script${attributes} src="${asFile(script, 'js')}"></script>`,
      )
      .replaceAll(INLINE_STYLE, (_, sheet: string) => {
        sheets.add(sheet);
        return '';
      })
      .replaceAll(STYLED_TAG, (tag) => styledByClass(tag, classOf));
    made.set(name, Buffer.from(text));
  }
  const rules = [...sheets, ...[...classes].map(([style, name]) => `.${name}{${unescaped(style)}}`)].join(
    '\n',
  );
  const link = `<link rel="stylesheet" href="${asFile(rules, 'css')}"></head>`;
  for (const [name, bytes] of files) {
    const page = made.get(name);
    if (page !== undefined) made.set(name, Buffer.from(page.toString('utf8').replace('</head>', link)));
    else if (name.endsWith('.css'))
      made.set(name, Buffer.from(bytes.toString('utf8').replaceAll(TOKEN_SELECTOR, "span[class^='s-']")));
    else made.set(name, bytes);
  }
  return made;
}

function styledByClass(tag: string, classOf: (style: string) => string): string {
  const style = STYLE.exec(tag)?.[1];
  if (style === undefined) return tag;
  const bare = tag.replace(STYLE, '');
  const name = classOf(style);
  return /\sclass="/.test(bare)
    ? bare.replace(/\sclass="/, ` class="${name} `)
    : bare.replace(/^<[a-zA-Z][\w-]*/, (start) => `${start} class="${name}"`);
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** The parts of a page that the policy would refuse; none is right. */
export function refusedInline(html: string): string[] {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].filter(
    ([, attributes = '', script = '']) => !attributes.includes('json') && script.trim() !== '',
  );
  const tags = [...html.matchAll(STYLED_TAG)].filter(([tag]) => STYLE.test(tag) || /\son\w+="/.test(tag));
  return [...scripts, ...html.matchAll(INLINE_STYLE), ...tags].map(([text]) => text.slice(0, 120));
}
