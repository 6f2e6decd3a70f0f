/** Schema of `record.db`, forward only. Members that a question filters by have a column; the record is `body`. */
export const recordMigrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

  CREATE TABLE record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, record_id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    kind TEXT NOT NULL, result TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
    device TEXT, caller TEXT, called TEXT, receiver TEXT, protocol TEXT, session_id TEXT, trace_id TEXT,
    body TEXT NOT NULL
  );
  CREATE INDEX record_at ON record (at, record_id);
  CREATE INDEX record_device ON record (device, at) WHERE device IS NOT NULL;
  CREATE INDEX record_trace ON record (trace_id) WHERE trace_id IS NOT NULL;
  CREATE INDEX record_running ON record (seq) WHERE result = 'running';
  CREATE INDEX record_unsent ON record (seq) WHERE sent = 0;
  `,
];
