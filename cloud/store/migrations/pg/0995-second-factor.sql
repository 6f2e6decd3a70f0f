-- The second factor of a person, and since when a tenant demands one. Sessions from before are without.

CREATE TABLE second_factor (
  person TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  confirmed_at BIGINT,
  last_step BIGINT NOT NULL,
  recovery TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
ALTER TABLE person_session ADD COLUMN second_factor_at BIGINT;
ALTER TABLE tenant ADD COLUMN second_factor_since BIGINT;
