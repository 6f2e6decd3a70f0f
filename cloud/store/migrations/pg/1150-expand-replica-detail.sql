-- The version and the machine of a replica, for people; a replica of an earlier version leaves both out.

ALTER TABLE replica ADD COLUMN version TEXT COLLATE "C";
ALTER TABLE replica ADD COLUMN machine TEXT COLLATE "C";
