-- The name that the audit log gives to the subject of a job is a hash with a salt of its own.

ALTER TABLE personal_data_job ADD COLUMN subject_salt TEXT COLLATE "C";
