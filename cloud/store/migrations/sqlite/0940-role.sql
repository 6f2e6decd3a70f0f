-- Of many rows a few: what hosts told of their roles in a site, and what was done to hosts.

CREATE INDEX site_event_role ON site_event (tenant, site_id, at, id) WHERE type = 'siteRole';
CREATE INDEX audit_host ON audit (tenant, entity_id, seq) WHERE entity = 'host';
