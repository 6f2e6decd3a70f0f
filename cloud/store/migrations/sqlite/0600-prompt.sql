-- Prompt files and recordings: names, hashes, what they are.

CREATE TABLE prompt_file (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('wav', 'mp3', 'ogg')),
  duration_ms INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('upload', 'recording')),
  updated_at INTEGER NOT NULL,
  CONSTRAINT prompt_file_pk PRIMARY KEY (tenant, name)
);
CREATE INDEX prompt_file_sha256 ON prompt_file (sha256);
