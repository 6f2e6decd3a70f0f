import { attribute, documentOf, element } from './element.ts';
import type { EmergencyFacts } from './emergency-facts.ts';

/** A block of additional data: its name in RFC 7852, and its document. */
export interface DataBlock {
  readonly name: 'ProviderInfo' | 'DeviceInfo' | 'Comment';
  readonly content: Uint8Array;
}

export const dataType = ({ name }: DataBlock): string => `application/EmergencyCallData.${name}+xml`;

/** Blocks of RFC 7852: who gives the data (4.1), the device (4.3), and the event in words (4.5). */
export const dataBlocksOf = (facts: EmergencyFacts): readonly DataBlock[] => [
  { name: 'ProviderInfo', content: provider(facts) },
  { name: 'DeviceInfo', content: device(facts) },
  { name: 'Comment', content: comment(facts) },
];

/** Namespace of a block, and its reference: the same in every block of one provider (3.1). */
function block(
  name: DataBlock['name'],
  prefix: string,
  { id, domain }: EmergencyFacts,
  inner: readonly string[],
): Uint8Array {
  const space = attribute(`xmlns:${prefix}`, `urn:ietf:params:xml:ns:EmergencyCallData:${name}`);
  const reference = element(`${prefix}:DataProviderReference`, `${id}@${domain}`);
  return documentOf(`${prefix}:EmergencyCallData.${name}`, space, [reference, ...inner]);
}

const provider = (facts: EmergencyFacts): Uint8Array =>
  block('ProviderInfo', 'pi', facts, [
    element('pi:DataProviderString', facts.domain),
    element('pi:TypeOfProvider', 'Other'),
    element('pi:ContactURI', `sip:${encodeURIComponent(facts.receiver)}@${facts.domain}`),
    element('pi:Language', 'en'),
  ]);

/** Chosen: "sensor-fixed" of the registry of device classifications (4.3.1): an alarm unit in a home. */
const device = (facts: EmergencyFacts): Uint8Array =>
  block('DeviceInfo', 'di', facts, [
    element('di:DeviceClassification', 'sensor-fixed'),
    element('di:DeviceModelNr', facts.deviceType),
    element(
      'di:UniqueDeviceID',
      facts.macAddress ?? facts.device,
      attribute('TypeOfDeviceID', facts.macAddress === undefined ? 'SN' : 'MAC'),
    ),
  ]);

const comment = (facts: EmergencyFacts): Uint8Array =>
  block('Comment', 'com', facts, [
    element('com:Comment', `${facts.event}; device ${facts.device}`, attribute('xml:lang', 'en')),
  ]);
