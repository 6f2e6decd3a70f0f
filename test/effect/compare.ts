import { differences } from './difference.ts';

/** `node test/effect/compare.ts BEFORE AFTER`: the journeys whose effects differ between two recordings. */
const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  process.stderr.write(
    'node test/effect/compare.ts BEFORE AFTER: two folders that npm run effects has written\n',
  );
  process.exitCode = 2;
} else {
  const found = differences(before, after);
  for (const each of found) process.stdout.write(`${each}\n`);
  process.stdout.write(`${found.length} journeys differ\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
