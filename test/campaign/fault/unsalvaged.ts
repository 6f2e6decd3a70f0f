import Database from 'better-sqlite3';

/**
 * Variables for Node that load this file before the control plane: its start then finds every database whole. It exists so that the
 * campaign with a damaged `cloud.db` can be seen to turn red.
 */
export const unsalvaged: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import ${import.meta.url}?whole`,
};

if (new URL(import.meta.url).search === '?whole') {
  const pragma = Database.prototype.pragma;
  Database.prototype.pragma = function (this: Database.Database, source, options) {
    return source.startsWith('integrity_check') ? 'ok' : pragma.call(this, source, options);
  };
}
