#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `carillon` from a checkout. Node keeps what it has compiled in the cache folder of this user, so that the next start costs half
 * of the processor time. All else is imported behind that: a static import would be compiled before.
 */
function keepCompiled({ XDG_CACHE_HOME, HOME, NODE_COMPILE_CACHE }: NodeJS.ProcessEnv): void {
  const base = XDG_CACHE_HOME ?? (HOME === undefined ? undefined : join(HOME, '.cache'));
  if (NODE_COMPILE_CACHE !== undefined || base === undefined) return;
  const folder = join(base, 'carillon', 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A user without a cache folder starts slower, and that is all.
    return;
  }
  enableCompileCache(folder);
}

/** Programs that load so much of the product that the sum over the sources, 0.2 s, is a small part of their start. */
const LARGE: ReadonlySet<string | undefined> = new Set(['demo', 'cloud', 'appliance', 'rehearse']);

/**
 * The bundle of the sources as they are, for a large program; where it cannot be made, the sources themselves, which start slower.
 * A small command reads the few modules of its own from the cache in less time than the sum takes.
 */
async function entryModule(): Promise<string> {
  if (!LARGE.has(process.argv[2])) return './carillon.ts';
  const { complain } = await import('./io/terminal/terminal.ts');
  try {
    const { currentProgram } = await import('./build/program/index.ts');
    return pathToFileURL(await currentProgram(complain)).href;
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    complain(
      `Carillon starts from its sources, which takes longer, because no bundle could be made: ${reason}`,
    );
    return './carillon.ts';
  }
}

keepCompiled(process.env);
await import(await entryModule());
