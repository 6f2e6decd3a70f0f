import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The kinds of authentication of a device, as forms, tables and steps of a record say them. */
export const AUTH_TYPES: Readonly<Record<string, MessageDescriptor>> = {
  credentials: msg`User and password (SIP digest)`,
  deviceid: msg`Its ID alone (alarms by SCAIP)`,
  userid: msg`A bearer token (application or console telephone)`,
  disabled: msg`None: no SIP access`,
};
