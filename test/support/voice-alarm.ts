import { encodeMessage as contactId } from '#appliance/alarm/protocol/contact-id/index.ts';
import { encodePacket as p100 } from '#appliance/alarm/protocol/lift/index.ts';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { must } from './media.ts';
import type { Appliance, Telephone } from './sip-telephone.ts';

/* How a unit of each protocol whose alarms have a voice call says one. */

export const atm = (type: string, data: string): string =>
  encodeAtm({ version: '1', type, data, time: '.', mac: '.' });

const contactIdOf = (event: string): string =>
  must(contactId({ account: '1234', messageType: '18', qualifier: '1', event, group: '01', zone: '015' }));

type Strings = Readonly<
  Record<string, { readonly digits: string; readonly ms?: number; readonly afterMs?: number }>
>;

/** String that the device says once it is asked; `ms` of a digit and of a pause. */
export const STRING: Strings = {
  bs8521: { digits: 'A01001234567800010100000000#' },
  tt92: { digits: 'D#1007123456789***000000' },
  ttnew: { digits: 'D#1007123456789***000000' },
  contactId: { digits: contactIdOf('606'), ms: 60, afterMs: 1_800 },
  p100: { digits: must(p100('1', '12345678')), ms: 100, afterMs: 1_800 },
  'cpc-antenna': { digits: '*#042787654321#' },
  rb2000: { digits: '12340717', afterMs: 1_500 },
  voicecall: { digits: '' },
  call: { digits: '' },
};

/** Message of a device that speaks by message. */
export const MESSAGE: Readonly<Record<string, string>> = {
  scaip: '<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>',
  nowip: atm('1', '010012345678000101000000'),
  nowipcontroller: atm('1', '110012345678000101000000'),
  lacs: '<lacs><id>unit</id><event>E1</event></lacs>',
};

/** Strings of events without speech: burglary, a battery, a button that is stuck, an own code. */
export const SILENT_STRING: Strings = {
  bs8521: { digits: 'A00001234567800010100000000#' },
  contactId: { digits: contactIdOf('130'), ms: 60, afterMs: 1_800 },
  p100: { digits: must(p100('2', '12345678100')), ms: 100, afterMs: 1_800 },
  'cpc-antenna': { digits: '*#049087654321#' },
  rb2000: { digits: '12340717', afterMs: 1_500 },
};

/** Messages of events without speech; with LACS the profile says so. */
export const SILENT_MESSAGE: Readonly<Record<string, string>> = {
  scaip: '<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc><crd>no-voice:</crd></mrq>',
  nowip: atm('1', '000012345678000101000000'),
  nowipcontroller: atm('1', '100012345678000101000000'),
  lacs: '<lacs><id>unit</id><event>E1</event></lacs>',
};

const EVENTS = { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } as const;

/** Profile that a customer has to describe before the protocol is spoken: no schema of LACS is public, and no string of the others. */
const PROFILE: Readonly<
  Record<
    string,
    {
      readonly kind: 'xml' | 'tone';
      readonly content: Readonly<Record<string, unknown>> & {
        readonly eventTable: Readonly<Record<string, typeof EVENTS>>;
      };
    }
  >
> = {
  lacs: {
    kind: 'xml',
    content: {
      enabled: true,
      requestRoot: 'lacs',
      fieldPaths: { controllerId: 'id', eventCode: 'event' },
      eventTable: { E1: EVENTS },
    },
  },
  rb2000: {
    kind: 'tone',
    content: {
      enabled: true,
      trigger: { send: [{ digit: 'C', ms: 200 }], waitBeforeMs: 500, repeatEveryMs: 3_000, max: 2 },
      frame: [
        ['controllerId', 4],
        ['eventCode', 2],
        ['check', 2],
      ],
      check: { policy: 'verify', method: 'sumMod100', maxRejects: 1 },
      ack: [{ digit: 'A', ms: 100 }],
      eventTable: { '07': EVENTS },
    },
  },
};

/** Every protocol that knows events without speech; DC-09 knows no others. */
export const SILENT_PROTOCOLS = [...Object.keys(SILENT_STRING), ...Object.keys(SILENT_MESSAGE), 'dc09'];

/** Every protocol whose alarms have a voice call. */
export const VOICE_PROTOCOLS = [...Object.keys(STRING), ...Object.keys(MESSAGE)];

/** The receiver `here` of this protocol, which calls `arc`; its profile, where it needs one, `audio` of whose events may be another. */
export function voiceBridge(
  site: Appliance,
  protocol: string,
  { audio, ...fields }: Record<string, unknown> = {},
): void {
  const named = PROFILE[protocol];
  const eventTable = Object.fromEntries(
    Object.entries(named?.content.eventTable ?? {}).map(([code, event]) => [
      code,
      audio === undefined ? event : { ...event, audio },
    ]),
  );
  const profile = named && { ...named, content: { ...named.content, eventTable } };
  if (profile !== undefined) {
    const row = { name: 'ours', extends: protocol, ...profile };
    site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  }
  site.bridge({
    protocol,
    name: 'Units',
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    ...(profile !== undefined && { protocolProfile: 'ours' }),
    ...fields,
  });
}

export const messageOf = (unit: Telephone, body: string, to: string, id: string): string =>
  unit.send({
    method: 'MESSAGE',
    uri: `sip:${to}@care.example`,
    headers: [
      ['From', `<sip:${unit.user}@care.example>;tag=m`],
      ['To', `<sip:${to}@care.example>`],
      ['Call-ID', id],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(body),
  });
