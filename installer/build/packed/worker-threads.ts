import { Worker as Thread, type WorkerOptions } from 'node:worker_threads';
import { packedName, readProgram } from './release-file.ts';

/** `node:worker_threads` of our own modules in the binary: a thread is begun from its bundle in the archive. */
export * from 'node:worker_threads';

export class Worker extends Thread {
  constructor(program: string | URL, options: WorkerOptions = {}) {
    const name = packedName(program);
    if (name === undefined) super(program, options);
    else {
      // The process was built with what a thread would ask for; Node refuses its flags to a thread.
      const { execArgv: _, ...rest } = options;
      super(readProgram(name), { ...rest, eval: true });
    }
  }
}
