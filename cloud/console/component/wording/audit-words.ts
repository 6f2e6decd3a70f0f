import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Kinds of resource of the audit log, as the console names them. */
const ENTITIES: Readonly<Record<string, MessageDescriptor>> = {
  alarmbridge: msg`Alarm receiver`,
  alarmeventmapper: msg`Event sender`,
  mediaservice: msg`Media service`,
  cloudsipua: msg`Cloud user agent`,
  callrecording: msg`Recording service`,
  trunk: msg`Trunk`,
  device: msg`Device`,
  site: msg`Site`,
  host: msg`Host`,
  user: msg`Person`,
  person: msg`Person`,
  apitoken: msg`API token`,
  apikey: msg`API key`,
  record: msg`Record`,
  trace: msg`Steps of a record`,
  capture: msg`Messages of a record`,
  alarm: msg`Incident`,
  protocolprofile: msg`Protocol profile`,
  promptfile: msg`Prompt`,
  personaldata: msg`Personal data`,
  maintenance: msg`Maintenance`,
  delivery: msg`Delivery`,
  session: msg`Session`,
  claim: msg`Claim code`,
};

/** The kind in the language of the person; one that the console does not know as the API spells it. */
export const entityName = (entity: string): MessageDescriptor =>
  ENTITIES[entity] ?? { id: entity, message: entity };

/** Actions of the audit log, as what was done with the resource. */
const ACTIONS: Readonly<Record<string, MessageDescriptor>> = {
  create: msg`created`,
  put: msg`written`,
  patch: msg`changed`,
  delete: msg`deleted`,
  'put many': msg`many written`,
  'patch many': msg`many changed`,
  'delete many': msg`many deleted`,
  'delete all': msg`all deleted`,
  'create provisory': msg`draft made`,
  'put provisory': msg`draft written`,
  'patch provisory': msg`draft changed`,
  'delete provisory': msg`draft deleted`,
  promote: msg`draft put into operation`,
  restore: msg`earlier version restored`,
  read: msg`read`,
  search: msg`searched`,
  erase: msg`erased`,
  rotate: msg`replaced by a new one`,
  revoke: msg`revoked`,
  resend: msg`invitation sent again`,
  renew: msg`renewed`,
  acknowledge: msg`acknowledged`,
  note: msg`commented`,
  redeliver: msg`sent again`,
  refuse: msg`refused`,
  'sign in': msg`signed in`,
  'sign in locked': msg`sign-in locked`,
  'reset second factor': msg`second factor reset`,
};

/** The action in the language of the person; one that the console does not know as the API spells it. */
export const actionName = (action: string): MessageDescriptor =>
  ACTIONS[action] ?? { id: action, message: action };
