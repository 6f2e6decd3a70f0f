import { attribute, documentOf, element } from './element.ts';
import type { EmergencyFacts } from './emergency-facts.ts';

const PIDF = 'urn:ietf:params:xml:ns:pidf';
const NAMESPACES = [
  attribute('xmlns', PIDF),
  attribute('xmlns:dm', `${PIDF}:data-model`),
  attribute('xmlns:gp', `${PIDF}:geopriv10`),
  attribute('xmlns:bp', `${PIDF}:geopriv10:basicPolicy`),
  attribute('xmlns:ca', `${PIDF}:geopriv10:civicAddr`),
].join('');

export const LOCATION_TYPE = 'application/pidf+xml';

/**
 * Location of a device as PIDF-LO (RFC 4119, RFC 5491) with a civic address (RFC 5139): NAM is the site, LOC the place in the home.
 * undefined: neither is known. Chosen: it may not be passed on by its recipient (RFC 4119 2.2.2), which is the default.
 */
export function locationOf({ device, domain, site, place, time }: EmergencyFacts): Uint8Array | undefined {
  if ((site ?? '') === '' && (place ?? '') === '') return undefined;
  const address = [element('ca:NAM', site), element('ca:LOC', place)].join('');
  const geopriv = [
    `<gp:location-info><ca:civicAddress>${address}</ca:civicAddress></gp:location-info>`,
    '<gp:usage-rules><bp:retransmission-allowed>false</bp:retransmission-allowed></gp:usage-rules>',
    '<gp:method>Manual</gp:method>',
  ].join('');
  const entity = attribute('entity', `pres:${encodeURIComponent(device)}@${domain}`);
  return documentOf('presence', `${NAMESPACES}${entity}`, [
    '<dm:device id="device">',
    `<gp:geopriv>${geopriv}</gp:geopriv>`,
    element('dm:deviceID', `tag:${domain},${time.slice(0, 4)}:${encodeURIComponent(device)}`),
    element('dm:timestamp', time),
    '</dm:device>',
  ]);
}
