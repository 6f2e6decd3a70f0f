import { join } from 'node:path';
import { currentProgram } from '../../../installer/build/program/index.ts';

/** The entry as it is in the sources. */
export const SOURCES: string = join(import.meta.dirname, '..', '..', '..', 'installer', 'carillon.ts');

/**
 * The entry as tests start it: the bundle that `npm start` runs too, because a start from the sources costs seconds of
 * processor time. A suite makes it before its first test (`prepare.ts`), anything else when it is asked for.
 */
export const CARILLON: string = process.env.TEST_PROGRAM ?? (await currentProgram(() => {}));

/** The entry for Node with these arguments: a file that is loaded before it reaches into modules of the sources. */
export const entryWith = (nodeArguments: readonly string[]): string =>
  nodeArguments.includes('--import') ? SOURCES : CARILLON;
