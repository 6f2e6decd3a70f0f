import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { putThreadAhead } from '#appliance/io/thread/index.ts';

/** A worker that is put ahead and says which level it has: as its own function says, and as the kernel has it. */
const said = putThreadAhead();
const stat = readFileSync('/proc/thread-self/stat', 'utf8');
// The name of the thread, in brackets, may hold blanks: field 3 is the first behind it.
const own = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19 - 3]);
parentPort?.postMessage({ said, own });
