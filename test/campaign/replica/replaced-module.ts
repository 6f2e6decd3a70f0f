import { registerHooks } from 'node:module';

/** Modules of the program, each by the end of its address, and the file in this folder that stands in its place. */
type Replaced = readonly (readonly [module: string, instead: string])[];

const FOLDER = new URL('removed/', import.meta.url).href;

/** From now on this process loads these files of `removed/`; they themselves reach the modules that they replace. */
export function replaceModules(replaced: Replaced): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const instead = replaced.find(([module]) => found.url.endsWith(module))?.[1];
      if (instead === undefined || context.parentURL?.startsWith(FOLDER)) return found;
      return { ...found, url: FOLDER + instead };
    },
  });
}
