import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';
import type { Say } from '../../component/step/note-words.ts';
import { readable } from '../../component/wording/readable.ts';

type DeploymentError = Operations['getPlatformAlarm']['answer']['alarms'][number]['error'];
type Mode = Operations['getPlatformBroker']['answer']['broker']['mode'];

/** Alarms of the deployment as sentences, by their error. */
const ERRORS: Readonly<Record<DeploymentError, MessageDescriptor>> = {
  controlPlaneDegraded: msg`The control plane does not receive the heartbeats of many hosts`,
  unknownHost: msg`An unknown host tried to connect`,
  brokerUnreachable: msg`A broker does not answer`,
  brokerTooSmall: msg`The broker has too many hosts`,
  credentialUnusable: msg`A credential of callbacks cannot be used`,
  storageDamaged: msg`A file of the database is damaged`,
};

/** Properties of a broker that the check tries, by the name of the finding. */
const PROPERTIES: Readonly<Record<string, MessageDescriptor>> = {
  reach: msg`Access of the control plane`,
  host: msg`Access of hosts`,
  speak: msg`Messages of hosts`,
  size: msg`Long messages`,
  'foreign-write': msg`Writing in other names`,
  'foreign-read': msg`Reading for others`,
  stranger: msg`Access without certificate`,
  clientId: msg`Long client ids`,
  retain: msg`Retained messages`,
  will: msg`Wills`,
  takeover: msg`One connection per client id`,
  session: msg`Kept sessions`,
  mqtt5: msg`MQTT 5`,
  share: msg`Shared subscriptions`,
};

const MODES: Readonly<Record<Mode, MessageDescriptor>> = {
  embedded: msg`Embedded`,
  external: msg`External`,
};

/** An alarm of the deployment as a sentence; one of a later release stands as the API spells it, readable. */
export const deploymentErrorText = (error: string, say: Say): string => wordsOf(ERRORS, error, say);

/** The property of a broker that a finding is about; one of a later release likewise. */
export const brokerPropertyText = (name: string, say: Say): string => wordsOf(PROPERTIES, name, say);

export const brokerModeText = (mode: Mode, say: Say): string => say(MODES[mode]);

function wordsOf(table: Readonly<Record<string, MessageDescriptor>>, name: string, say: Say): string {
  const words = table[name];
  return words === undefined ? readable(name) : say(words);
}
