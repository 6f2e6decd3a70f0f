import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frozenLists, frozenNames } from './frozen-name.ts';
import { ROOT, repositoryTexts } from './repository.ts';

/* `node test/architecture/freeze.ts` freezes the names that have been added. It takes none away: that is a hand's work. */

const kept = frozenLists();
for (const [list, names] of Object.entries(frozenNames(repositoryTexts()))) {
  const all = [...new Set([...(kept[list] ?? []), ...names])].toSorted();
  writeFileSync(join(ROOT, 'test/vectors/frozen', `${list}.json`), `${JSON.stringify(all, null, 1)}\n`);
}
