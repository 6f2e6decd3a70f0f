-- Several replicas of the control plane: who lives, what one tells the others, and work that is claimed by row.

CREATE TABLE replica (
  id TEXT NOT NULL PRIMARY KEY,
  started_at INTEGER NOT NULL,
  until INTEGER NOT NULL
);

CREATE TABLE announcement (
  id TEXT NOT NULL PRIMARY KEY,
  replica TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX announcement_at ON announcement (at);

ALTER TABLE relay ADD COLUMN claimed_until INTEGER;
ALTER TABLE relay ADD COLUMN claimed_by TEXT;
ALTER TABLE bulk_job ADD COLUMN replica TEXT;
