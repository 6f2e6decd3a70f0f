-- The last self-test of each host: what a technician hands over.

CREATE TABLE host_self_test (
  uid TEXT NOT NULL PRIMARY KEY REFERENCES host (uid) ON DELETE CASCADE,
  record TEXT NOT NULL
);
