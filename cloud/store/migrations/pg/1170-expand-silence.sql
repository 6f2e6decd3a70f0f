-- What the owner of each shard sees of silent hosts, and the judgement of all of it by one replica.

CREATE TABLE silence (
  sh TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  replica TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL
);

CREATE TABLE silence_verdict (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  body TEXT COLLATE "C" NOT NULL
);
