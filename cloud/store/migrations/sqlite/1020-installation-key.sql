-- Keys of the installation, sealed by the vault: one text for each purpose, whole.

CREATE TABLE installation_key (
  purpose TEXT NOT NULL PRIMARY KEY,
  sealed TEXT NOT NULL,
  rev INTEGER NOT NULL,
  at INTEGER NOT NULL
);
