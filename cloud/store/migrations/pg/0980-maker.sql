-- Rights of what is made are those of its maker at every use: keys, tokens, roles, invitations and claims name their maker.
-- Rows without a maker stay as they are: nothing that works today loses a right by the upgrade.

ALTER TABLE api_key ADD COLUMN maker TEXT COLLATE "C";
ALTER TABLE api_key ADD COLUMN role TEXT COLLATE "C";
ALTER TABLE api_token ADD COLUMN maker TEXT COLLATE "C";
ALTER TABLE api_token ADD COLUMN role TEXT COLLATE "C";
ALTER TABLE membership ADD COLUMN maker TEXT COLLATE "C";
ALTER TABLE invitation ADD COLUMN maker TEXT COLLATE "C";
ALTER TABLE claim ADD COLUMN maker TEXT COLLATE "C";
CREATE INDEX api_key_maker ON api_key (tenant, maker);
CREATE INDEX api_token_maker ON api_token (tenant, maker);
CREATE INDEX membership_maker ON membership (tenant, maker);
CREATE INDEX invitation_maker ON invitation (tenant, maker);
CREATE INDEX claim_maker ON claim (tenant, maker);

-- A token of a person has acted with the role of that person always.
UPDATE api_token SET maker = 'person:' || person WHERE person IS NOT NULL;
-- A token made with an API key names it in the audit log; a key that was deleted meanwhile is not brought back.
UPDATE api_token SET maker = (
  SELECT audit.actor FROM audit
  WHERE audit.tenant = api_token.tenant AND audit.entity = 'apitoken' AND audit.entity_id = api_token.id
    AND audit.action = 'create' AND audit.actor LIKE 'key:%'
    AND EXISTS (SELECT 1 FROM api_key WHERE api_key.tenant = audit.tenant AND 'key:' || api_key.kid = audit.actor)
  LIMIT 1
) WHERE person IS NULL;
-- A key that an owner or admin registered belongs to that person; of one who may no longer do so it stays as it is.
UPDATE api_key SET maker = (
  SELECT audit.actor FROM audit
  WHERE audit.tenant = api_key.tenant AND audit.entity = 'apikey' AND audit.entity_id = api_key.kid
    AND audit.action = 'create' AND audit.at = api_key.created_at
    AND (audit.actor = 'person:platform-owner' OR EXISTS (
      SELECT 1 FROM membership
      WHERE membership.tenant = audit.tenant AND 'person:' || membership.person = audit.actor
        AND membership.role IN ('owner', 'admin')))
  LIMIT 1
);
