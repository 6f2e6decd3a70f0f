-- Each change of the connectivity of a host, for thirty days. A first row without a change says since when its state is known.

CREATE TABLE host_connectivity (
  uid TEXT NOT NULL REFERENCES host (uid) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  before_state TEXT NOT NULL,
  after_state TEXT NOT NULL,
  CONSTRAINT host_connectivity_pk PRIMARY KEY (uid, at)
);
CREATE INDEX host_connectivity_time ON host_connectivity (at);
INSERT INTO host_connectivity (uid, at, before_state, after_state)
  SELECT uid, since, connectivity, connectivity FROM host_status WHERE connectivity <> 'never';
