import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** Texts of the console: one catalog for a language, without line numbers, so that moving a text changes no catalog. */
const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: ['en', 'sv', 'de'],
  fallbackLocales: { default: 'en' },
  catalogs: [
    {
      path: '<rootDir>/text/{locale}',
      include: ['client', 'component', 'foundation', 'page'].map((folder) => `<rootDir>/${folder}`),
    },
  ],
  format: formatter({ lineNumbers: false }),
};

export default config;
