-- Says that the bodies of this database are sealed, and by which key.

CREATE TABLE sealing (
  one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
  key_name TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL
);
