import { readdirSync } from 'node:fs';
import { ApiFailure } from '#sdk/js/src/client/index.ts';

/* `npm run example NAME` starts an example. */

const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sample')
  .map(({ name }) => name);
const [name = ''] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`Write the name of an example: npm run example NAME\n  ${names.join('\n  ')}`);
  process.exit(64);
}
await import(`./${name}/main.ts`).catch((cause: unknown) => {
  // A refusal of the platform has its reason and its advice in the message.
  if (!(cause instanceof ApiFailure)) throw cause;
  console.error(cause.message);
  process.exit(1);
});
