-- Accounts of DC-09 are equal but for case and leading zeros: devices that may be so are found without looking at all of a tenant.

CREATE INDEX device_account ON device (tenant, replace(upper(id), '0', ''));
