import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { glob } from 'astro/loaders';

// The pages are assembled from the folders of docs and from the code before this runs (installer/documentation).
export const collections = {
  docs: defineCollection({
    loader: glob({ pattern: '**/*.md', base: './dist/content' }),
    schema: docsSchema(),
  }),
};
