import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const navigation = JSON.parse(readFileSync(new URL('./dist/navigation.json', import.meta.url), 'utf8'));

// Pages in the cache were made with this configuration: another one needs a cache of its own.
const configuration = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .digest('hex');

export default defineConfig({
  base: '/docs',
  trailingSlash: 'never',
  outDir: './dist/site',
  publicDir: './dist/public',
  cacheDir: `./dist/cache/${configuration.slice(0, 12)}`,
  image: { service: passthroughImageService() },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'Carillon',
      favicon: '/bell.svg',
      sidebar: navigation,
      customCss: ['./src/style/carillon.css'],
      credits: false,
      lastUpdated: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      expressiveCode: {
        defaultProps: { wrap: true },
        shiki: {
          bundledLangs: ['ts', 'json', 'sh', 'xml', 'python', 'go', 'java', 'php', 'csharp', 'yaml', 'toml'],
        },
      },
    }),
  ],
});
