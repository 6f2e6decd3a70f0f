import Database from 'better-sqlite3';

/**
 * Words for Node that load this file before the appliance: it then does not see every second row that waits for the cloud.
 * It exists so that the campaign without WAN can be seen to turn red.
 */
export const skipping: readonly string[] = ['--import', `${import.meta.url}?skip`];

if (new URL(import.meta.url).search === '?skip') {
  const prepare = Database.prototype.prepare;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    return prepare.call(
      this,
      sql.replace('WHERE dest = ? AND lane = ?', 'WHERE seq % 2 = 0 AND dest = ? AND lane = ?'),
    );
  } as typeof prepare;
}
