import { readdirSync } from 'node:fs';

/* `npm run example NAME` starts an example. */

const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sample')
  .map(({ name }) => name);
const [name = ''] = process.argv.slice(2);
if (names.includes(name)) await import(`./${name}/main.ts`);
else {
  console.error(`Write the name of an example: npm run example NAME\n  ${names.join('\n  ')}`);
  process.exit(64);
}
