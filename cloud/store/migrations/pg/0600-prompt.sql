-- Prompt files and recordings: names, hashes, what they are.

CREATE TABLE prompt_file (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL,
  sha256 TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('wav', 'mp3', 'ogg')),
  duration_ms BIGINT NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('upload', 'recording')),
  updated_at BIGINT NOT NULL,
  CONSTRAINT prompt_file_pk PRIMARY KEY (tenant, name)
);
CREATE INDEX prompt_file_sha256 ON prompt_file (sha256);
