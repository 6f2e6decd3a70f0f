import { currentProgram } from '../../../installer/build/program/index.ts';

/** Makes the bundle that tests start as a process once for a run of a suite; Vitest hands the environment on to its workers. */
export async function setup(): Promise<void> {
  process.env.TEST_PROGRAM = await currentProgram(() => {});
}
