import { join } from 'node:path';

/**
 * Environment of every test: programs that a test starts as processes of their own read their modules from Node's compile
 * cache. A start of the command line then takes 0.18 s of processor time instead of 0.47 s.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'carillon'),
} as const;
