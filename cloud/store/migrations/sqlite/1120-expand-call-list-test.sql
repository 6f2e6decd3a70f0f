-- The newest test call of each emergency list.

CREATE TABLE call_list_test (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  entity TEXT NOT NULL,
  id TEXT NOT NULL,
  month TEXT NOT NULL,
  state TEXT NOT NULL,
  uid TEXT,
  tries INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  ended_at INTEGER,
  called INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  CONSTRAINT call_list_test_pk PRIMARY KEY (tenant, entity, id)
);
CREATE INDEX call_list_test_state ON call_list_test (state, asked_at);
