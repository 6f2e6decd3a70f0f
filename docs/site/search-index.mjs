import { close, createIndex } from 'pagefind';

// Starlight makes an index of whole pages. This one leaves out samples and programs: their words are in the text around
// them, and they would be a third of the index.
const { index } = await createIndex({ excludeSelectors: ['pre', '.copy'], forceLanguage: 'en' });
if (index === undefined) throw new Error('Pagefind could not begin an index');
const folder = new URL('./dist/site', import.meta.url).pathname;
const { errors, page_count: pages } = await index.addDirectory({ path: folder });
if (errors.length > 0 || pages === 0) throw new Error(`the index failed: ${errors.join('; ')}`);
await index.writeFiles({ outputPath: `${folder}/pagefind` });
await close();
