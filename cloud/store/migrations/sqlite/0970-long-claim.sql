-- A claim has a second code, for QR codes and files: its hash, and what makes it of the code to type.

ALTER TABLE claim ADD COLUMN long_hash TEXT;
ALTER TABLE claim ADD COLUMN long_salt TEXT;
CREATE INDEX claim_long ON claim (long_hash);
