import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { ROOT } from '#test/architecture/repository.ts';

/** Builds the documentation for the control planes of this checkout; a second time it does so only when a source has changed. */
export function buildDocumentation(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'installer/documentation/write.ts')],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`the documentation was not built:\n${stdout}${stderr}`);
}

/** Time of each search on a page of the documentation, ms, after one that loads the index. Rejects where one finds nothing. */
export async function searchTimes(page: Page, searches: readonly string[]): Promise<readonly number[]> {
  // As a text: the runner of the tests would rewrite an import in a function.
  return (await page.evaluate(`(async () => {
    const { search } = await import('/docs/pagefind/pagefind.js');
    await search('alarm');
    const times = [];
    for (const words of ${JSON.stringify(searches)}) {
      const begun = performance.now();
      const { results } = await search(words);
      if (results.length === 0) throw new Error('the documentation has nothing about ' + words);
      times.push(performance.now() - begun);
    }
    return times;
  })()`)) as readonly number[];
}
