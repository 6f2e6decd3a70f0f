/**
 * Loaded into the appliance before anything else (`node --import unsynced.ts?OFF`): every database it opens, also in
 * its threads, forgets to sync. It exists so that the power cut campaign can be seen to turn red.
 */
import Database from 'better-sqlite3';

const mode = new URL(import.meta.url).search.slice(1);
const asked = Database.prototype.pragma;
Database.prototype.pragma = function (
  this: Database.Database,
  source: string,
  options?: Database.PragmaOptions,
) {
  const text = /^synchronous\s*=/i.test(source) ? `synchronous = ${mode}` : source;
  return asked.call(this, text, options);
};
