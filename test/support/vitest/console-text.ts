import { join } from 'node:path';

/** The macros of Lingui, which only a bundler reads. */
const MACRO = /from '@lingui\/(?:core|react)\/macro'/;

const CONFIG = join(import.meta.dirname, '..', '..', '..', 'cloud', 'console', 'lingui.config.ts');

/** Reads the texts of the console as its bundle does: a test of a sentence reads the sentence. Babel is loaded for such a file alone. */
export const consoleTexts = () => ({
  name: 'texts of the console',
  enforce: 'pre' as const,
  async transform(code: string, id: string) {
    if (!MACRO.test(code)) return null;
    const { getConfig } = await import('@lingui/conf');
    const { linguiMacro } = await import('../../../installer/build/console/macro.mjs');
    return await linguiMacro(getConfig({ configPath: CONFIG })).transform(code, id);
  },
});
