/** Public face of threads that are asked: numbered requests, answers, and what becomes of them when the thread dies. */
export { AskedThread, type ThreadReport } from './asked-thread.ts';
export { putThreadAhead } from './thread-priority.ts';
