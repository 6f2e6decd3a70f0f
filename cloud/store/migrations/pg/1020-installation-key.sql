-- Keys of the installation, sealed by the vault: one text for each purpose, whole.

CREATE TABLE installation_key (
  purpose TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  sealed TEXT NOT NULL,
  rev BIGINT NOT NULL,
  at BIGINT NOT NULL
);
