import { PROTOCOL_FAMILY } from '#shared/contract/provisioning/index.ts';
import type { Schema } from '../../component/form/schema.ts';

const { sipMessage, tone, ipReceiver, voice } = PROTOCOL_FAMILY;
const SPOKEN = [...sipMessage, ...tone, ...voice];
/** A bridge of these may come to speak it: both choose by the device. */
const CHOOSING = ['multiprotocol', 'deviceProvisioned'];

/** Protocols for which a field of an alarm receiver has an effect; a field that is absent here has one for each. */
const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  protocolMode: ['tt92', ...CHOOSING],
  dataRequestInterval: ['bs8521', ...CHOOSING],
  fallbackAlarmProtocol: tone,
  toneSettings: tone,
  protocolProfile: [...sipMessage, ...tone, ...ipReceiver],
  voiceCallSource: sipMessage,
  analogueVoiceNumber: ['scaip'],
  lacsCallback: ['lacs'],
  enforceSpeakListen: SPOKEN,
  controlCommandsEnabled: SPOKEN,
  arcDisconnectClearsCall: SPOKEN,
  useVoiceBridge: SPOKEN,
  useVPNConnection: SPOKEN,
  auditRecording: SPOKEN,
  enforceIvrDestination: SPOKEN,
};

/** The contract of an alarm receiver, in which each field says for which protocols it has an effect. */
export function withEffects(schema: Schema): Schema {
  const { $defs = {}, oneOf, properties } = schema;
  return {
    ...schema,
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(withEffects) }),
    ...(schema.$defs === undefined
      ? {}
      : {
          $defs: Object.fromEntries(Object.entries($defs).map(([name, each]) => [name, withEffects(each)])),
        }),
    ...(properties?.protocol === undefined ? {} : { properties: marked(properties) }),
  };
}

const marked = (properties: NonNullable<Schema['properties']>): NonNullable<Schema['properties']> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const protocols = PROTOCOLS[name];
      return [name, protocols === undefined ? field : { ...field, 'x-protocols': protocols }];
    }),
  );
