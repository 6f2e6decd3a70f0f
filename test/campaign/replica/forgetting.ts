import { replaceModules } from './replaced-module.ts';

/**
 * Words for Node that load this file before the control plane: its judgement of a mass loss is in the row without begin and end of the
 * trouble, so that a control plane that starts knows of none. It exists so that the keeping of both can be seen to be needed.
 */
export const forgetting: readonly string[] = ['--import', `${import.meta.url}?forgetting`];

if (new URL(import.meta.url).search === '?forgetting')
  replaceModules([['/cloud/store/site/silence.ts', 'bare-verdict.ts']]);
