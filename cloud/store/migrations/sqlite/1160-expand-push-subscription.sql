-- Browsers of people that are woken when an alarm waits. The body, with the address of the browser and its keys, is sealed.

CREATE TABLE push_subscription (
  tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
  service TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT push_subscription_pk PRIMARY KEY (tenant, id)
);
CREATE INDEX push_subscription_person ON push_subscription (person);
