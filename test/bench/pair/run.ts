import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { disturbanceText, isDisturbed, watchMachine } from '../support/quiet-machine.ts';
import { LOADS } from './load.ts';
import { type Compared, compared } from './pair.ts';

/*
 * npm run bench:pairs -- TREE [NAME…] [--quick]: this tree against another checkout of it, as before and after a change. Ends with 1 when
 * something is worse than it was, or the machine was not quiet.
 */

/** Not worse: the upper bound of the ratio is at most this. */
const MOST = 1.05;
const THIS_TREE = resolve(import.meta.dirname, '../../..');

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const [tree, ...names] = words.filter((word) => word !== '--quick');
if (tree === undefined || !existsSync(join(tree, 'test/bench/process'))) {
  console.error(
    `There is no checkout at '${tree ?? ''}'. Name the folder of one: npm run bench:pairs -- ../before`,
  );
  process.exit(64);
}
const unknown = names.find((name) => LOADS[name] === undefined);
if (unknown !== undefined) {
  console.error(`There is no load '${unknown}'. Name some of ${Object.keys(LOADS).join(', ')}.`);
  process.exit(64);
}

const trees = { before: resolve(tree), after: THIS_TREE };
const watch = watchMachine();
const found: Compared[] = [];
for (const [name, load] of Object.entries(LOADS))
  if (names.length === 0 || names.includes(name)) {
    console.log(`${name}: ${load.title}`);
    // At once: a load that cannot be measured takes none of the figures before it away.
    for (const each of await compared(load, trees, isQuick, (text) => console.log(`  ${text}`))) {
      const { what, before, after, ratio, upper, pairs } = each;
      console.log(
        `${upper <= MOST ? 'ok   ' : 'WORSE'} ${load.title}, ${what}: ${before.toFixed(1)} before, ${after.toFixed(1)} after, ` +
          `${ratio.toFixed(3)} × (upper 95 % bound ${upper.toFixed(3)}, at most ${MOST}) of ${pairs} pairs`,
      );
      found.push(each);
    }
  }
const disturbance = watch.end();

console.log(disturbanceText(disturbance));
if (isDisturbed(disturbance)) console.log('VOID: the machine was not quiet; these figures do not count');
process.exitCode = found.some(({ upper }) => !(upper <= MOST)) || isDisturbed(disturbance) ? 1 : 0;
