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
  queuewall: msg`Display on a wall`,
  waitingalarm: msg`Alarm in the queue`,
  recording: msg`Recording`,
  recordExport: msg`Export of records`,
  transcript: msg`Transcript`,
  audit: msg`Audit`,
  listening: msg`Listening to callbacks`,
  pushbrowser: msg`Browser for notices`,
  vaultkey: msg`Key of stored secrets`,
  configkey: msg`Key of configurations`,
  verifykey: msg`Key that proves callbacks`,
  database: msg`Database`,
  profile: msg`Profile of a site`,
  maker: msg`Maker of credentials`,
};

/** The kind in the language of the person; one that the console does not know as the API spells it. */
export const entityName = (entity: string): MessageDescriptor =>
  ENTITIES[entity] ?? { id: entity, message: entity };

/** The audit log has no entry of a prompt that was read: these are readings of recordings. */
const READINGS: ReadonlySet<string> = new Set(['read', 'read url']);

/** The kind of an entry: recordings stand in the log as the files they are stored as, beside prompts. */
export function entityOf({ entity, action, detail }: AuditWords): string {
  if (entity !== 'promptfile') return entity;
  const { before, after } = (detail ?? {}) as {
    readonly before?: { readonly origin?: unknown };
    readonly after?: { readonly origin?: unknown };
  };
  const isRecording = READINGS.has(action) || (after ?? before)?.origin === 'recording';
  return isRecording ? 'recording' : entity;
}

interface AuditWords {
  readonly entity: string;
  readonly action: string;
  readonly detail?: unknown;
}

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
  invite: msg`invited`,
  open: msg`opened`,
  end: msg`ended`,
  cut: msg`shortened`,
  label: msg`labels set`,
  network: msg`addresses set`,
  claim: msg`claimed`,
  'claim again': msg`claimed again`,
  drain: msg`drain begun`,
  commissioning: msg`commissioning begun`,
  active: msg`put into service`,
  'set up': msg`set up`,
  testCall: msg`test call made`,
  tryOnHistory: msg`tried on history`,
  handshakes: msg`conversations in tones read`,
  'read url': msg`address made that opens it`,
  expire: msg`deleted by the retention`,
  move: msg`moved to the object store`,
  'hand over': msg`resources handed over`,
  'use recovery code': msg`recovery code used`,
  'set up second factor': msg`second factor set up`,
  'remove second factor': msg`second factor removed`,
  take: msg`taken`,
  release: msg`given back`,
  lose: msg`given back: its person was away`,
  close: msg`closed`,
  command: msg`command sent`,
  'listening.opened': msg`opened`,
  'listening.closed': msg`closed`,
  'listening.replayed': msg`callback sent again`,
  claimed: msg`claimed`,
  draining: msg`drain begun`,
  drained: msg`drained`,
  quarantined: msg`locked out`,
  decommissioning: msg`taking out of service begun`,
  decommissioned: msg`taken out of service`,
  rejected: msg`refused`,
  ping: msg`sign of life asked for`,
  probe: msg`view of its peers asked for`,
  'logs.tail': msg`log read`,
  selftest: msg`self-test run`,
  'svc.restart': msg`service restarted`,
  'diag.bundle': msg`support bundle made`,
  'cfg.resync': msg`configuration fetched again`,
  'override.clear': msg`local settings cleared`,
  'cert.renew': msg`certificate renewed`,
  'sw.upgrade': msg`upgrade begun`,
  'sw.upgrade.refused': msg`upgrade refused by the host`,
  'outbox.list': msg`waiting callbacks read`,
  'outbox.replay': msg`callbacks sent again`,
  'sip.registrations': msg`registrations read`,
  devicecommand: msg`command sent`,
  hangupalarmcall: msg`call of an alarm hung up`,
  takealarm: msg`taken`,
  releasealarm: msg`given back`,
  'mediaservice.session': msg`running sessions read`,
  'mediaservice.queue': msg`call queues read`,
};

/** The action in the language of the person; one that the console does not know as the API spells it. */
export const actionName = (action: string): MessageDescriptor =>
  ACTIONS[action] ?? { id: action, message: action };
