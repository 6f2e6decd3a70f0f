import { describe, expect, it } from 'vitest';
import { refusedInline, type SiteFiles, withoutInline } from '#installer/documentation/finish.ts';

const PAGE = `<!doctype html><html><head><style>.a{color:red}</style></head><body>
<script>document.title = 'x';</script>
<pre><span style="--0:#111;--1:#222">const</span> <b class="c" style="margin:0">y</b></pre>
<script type="module" src="/docs/_astro/a.js"></script></body></html>`;

const finished = (page: string): SiteFiles =>
  withoutInline(
    new Map([
      ['index.html', Buffer.from(page)],
      ['_astro/ec.css', Buffer.from(`.x span[style^='--']:not([class]){color:var(--0)}`)],
    ]),
  );
const textOf = (files: SiteFiles, ending: string): string =>
  [...files]
    .filter(([name]) => name.endsWith(ending))
    .map(([, bytes]) => bytes.toString())
    .join('\n');

describe('a page without inline parts', () => {
  const files = finished(PAGE);
  const html = textOf(files, 'index.html');

  it('passes a policy that allows none, and the page before does not', () => {
    expect(refusedInline(html)).toEqual([]);
    expect(refusedInline(PAGE)).toHaveLength(4);
    expect(refusedInline('<p onclick="x()">')).toHaveLength(1);
  });

  it('keeps its script and its styles as files', () => {
    expect(textOf(files, '.js')).toBe("document.title = 'x';");
    expect(html).toMatch(/<script src="\/docs\/_astro\/page\.\w+\.js"><\/script>/);
    expect(textOf(files, '.css')).toContain('.a{color:red}');
    expect(textOf(files, '.css')).toContain('.s-0{--0:#111;--1:#222}');
    expect(html).toContain('<b class="s-1 c">');
    expect(html).toContain('<span class="s-0">const</span>');
  });

  it('finds the tokens of the highlighter by their class', () => {
    expect(textOf(files, 'ec.css')).toBe(".x span[class^='s-']{color:var(--0)}");
  });

  it('is the same each time', () => expect([...finished(PAGE)]).toEqual([...files]));
});
