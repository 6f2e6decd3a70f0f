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
