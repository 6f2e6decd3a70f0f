/** Schema of `config.db`; each entry leads from one version to the next (`migrate`). */
export const migrations: readonly string[] = [
  `CREATE TABLE standing (
     scope TEXT PRIMARY KEY,
     rev INTEGER NOT NULL,
     h TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE replica (
     scope TEXT NOT NULL,
     entity TEXT NOT NULL,
     id TEXT NOT NULL,
     row_hash TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (scope, entity, id)
   ) STRICT, WITHOUT ROWID;
   -- The change on its way in. body NULL = the row goes.
   CREATE TABLE staged (
     entity TEXT NOT NULL,
     id TEXT NOT NULL,
     row_hash TEXT,
     body TEXT,
     PRIMARY KEY (entity, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE stage (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     scope TEXT NOT NULL,
     replaces_all INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE twin (one INTEGER PRIMARY KEY CHECK (one = 1), compact TEXT NOT NULL) STRICT;`,
  `CREATE TABLE override (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE refused (scope TEXT PRIMARY KEY, rev INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
];
