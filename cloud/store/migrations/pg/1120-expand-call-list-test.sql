-- The newest test call of each emergency list.

CREATE TABLE call_list_test (
  tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  entity TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  month TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  uid TEXT COLLATE "C",
  tries BIGINT NOT NULL,
  asked_at BIGINT NOT NULL,
  ended_at BIGINT,
  called BIGINT NOT NULL,
  confirmed BIGINT NOT NULL,
  CONSTRAINT call_list_test_pk PRIMARY KEY (tenant, entity, id)
);
CREATE INDEX call_list_test_state ON call_list_test (state, asked_at);
