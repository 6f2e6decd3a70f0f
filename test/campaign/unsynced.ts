import Database from 'better-sqlite3';

/**
 * Words for Node that load this file before the appliance: every database it opens, also in its threads, then syncs
 * as `mode` says and not as it asked. It exists so that the power cut campaign can be seen to turn red. NORMAL still
 * syncs at checkpoints; they are held back, as if the cut always came just before the next one.
 */
export const unsynced = (mode: 'NORMAL' | 'OFF'): readonly string[] => [
  '--import',
  `${import.meta.url}?synchronous=${mode}`,
];

const mode = new URL(import.meta.url).searchParams.get('synchronous');
if (mode !== null) {
  const asked = Database.prototype.pragma;
  Database.prototype.pragma = function (
    this: Database.Database,
    source: string,
    options?: Database.PragmaOptions,
  ) {
    const text = source
      .replace(/^synchronous\s*=.*/i, `synchronous = ${mode}`)
      .replace(/^wal_checkpoint\(PASSIVE\)/i, 'wal_checkpoint(NOOP)');
    return asked.call(this, text, options);
  };
}
