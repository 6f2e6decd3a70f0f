-- The second factor of a person, and since when a tenant demands one. Sessions from before are without.

CREATE TABLE second_factor (
  person TEXT NOT NULL PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL,
  recovery TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
ALTER TABLE person_session ADD COLUMN second_factor_at INTEGER;
ALTER TABLE tenant ADD COLUMN second_factor_since INTEGER;
