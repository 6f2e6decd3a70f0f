-- Several replicas of the control plane: who lives, what one tells the others, and work that is claimed by row.

CREATE TABLE replica (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  until BIGINT NOT NULL
);

CREATE TABLE announcement (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  replica TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL
);
CREATE INDEX announcement_at ON announcement (at);

ALTER TABLE relay ADD COLUMN claimed_until BIGINT;
ALTER TABLE relay ADD COLUMN claimed_by TEXT COLLATE "C";
ALTER TABLE bulk_job ADD COLUMN replica TEXT COLLATE "C";
