-- What the owner of each shard sees of silent hosts, and the judgement of all of it by one replica.

CREATE TABLE silence (
  sh TEXT NOT NULL PRIMARY KEY,
  replica TEXT NOT NULL,
  n INTEGER NOT NULL,
  body TEXT NOT NULL
);

CREATE TABLE silence_verdict (
  id TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
);
