/** Lingui's macros, made into calls and message ids while Vite bundles; its own native way needs a newer Node of the system. */
import { transformAsync } from '@babel/core';
import macro from '@lingui/babel-plugin-lingui-macro';

const MACRO = /from '@lingui\/(?:core|react)\/macro'/;

/** A plugin of Vite; `config`: a Lingui configuration. */
export const linguiMacro = (config) => ({
  name: 'lingui macro',
  enforce: 'pre',
  async transform(code, id) {
    if (!MACRO.test(code)) return null;
    return await transformAsync(code, {
      babelrc: false,
      configFile: false,
      filename: id,
      sourceMaps: true,
      parserOpts: { plugins: ['jsx', 'typescript'] },
      plugins: [[macro, { linguiConfig: config }]],
    });
  },
});
