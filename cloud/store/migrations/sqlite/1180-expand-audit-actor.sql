-- What one person, key or token did, newest first.

CREATE INDEX audit_actor ON audit (tenant, actor, seq);
