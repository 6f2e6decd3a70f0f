-- Says that the bodies of this database are sealed, and by which key.

CREATE TABLE sealing (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  key_name TEXT NOT NULL,
  at INTEGER NOT NULL
);
