/**
 * Runbooks of platform alarms for the console, read while it is bundled: `import { runbooks } from 'virtual:runbook'`. The
 * text inside an incident is the file that the alert links to, so that both say the same.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const FOLDER = join(ROOT, 'systemd', 'monitoring', 'runbook', 'alarm');
const NAME = 'virtual:runbook';

/** The Markdown of each runbook by the alarm that it is for. */
export const runbookTexts = () =>
  Object.fromEntries(
    globSync('*.md', { cwd: FOLDER })
      .toSorted()
      .map((file) => [basename(file, '.md'), readFileSync(join(FOLDER, file), 'utf8')]),
  );

/** A plugin of Vite. */
export const runbooks = () => ({
  name: 'runbooks of platform alarms',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) =>
    id === `\0${NAME}` ? `export const runbooks = ${JSON.stringify(runbookTexts())};` : undefined,
});
