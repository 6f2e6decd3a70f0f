/** One element of a request. Sources: SS 91100, CLC/TS 50134-9; media type application/scaip+xml. */
export interface ScaipElement {
  readonly tag: string;
  readonly key: string;
  /** `digits` are compared as integers; `text` beyond its length is cut. */
  readonly kind: 'reference' | 'digits' | 'word' | 'text' | 'address' | 'group';
  readonly maxLength: number;
  readonly mandatory?: true;
  readonly repeatable?: true;
}

/** In the order in which we send them; a device may send any order. */
// biome-ignore format: one row a line reads as a table
export const REQUEST_ELEMENTS = [
  { tag: 'ref', key: 'reference', kind: 'reference', maxLength: 16, mandatory: true },
  { tag: 'ver', key: 'version', kind: 'word', maxLength: 5 },
  { tag: 'sco', key: 'systemConfig', kind: 'word', maxLength: 1 },
  { tag: 'cha', key: 'callHandling', kind: 'word', maxLength: 1 },
  { tag: 'mty', key: 'messageType', kind: 'word', maxLength: 2 },
  { tag: 'hbo', key: 'heartbeatOptions', kind: 'word', maxLength: 3 },
  { tag: 'cid', key: 'controllerId', kind: 'reference', maxLength: 32, mandatory: true },
  { tag: 'dty', key: 'deviceType', kind: 'digits', maxLength: 4, mandatory: true },
  { tag: 'did', key: 'deviceId', kind: 'word', maxLength: 16 },
  { tag: 'dco', key: 'deviceComponent', kind: 'digits', maxLength: 3 },
  { tag: 'dte', key: 'deviceText', kind: 'text', maxLength: 32 },
  { tag: 'crd', key: 'callerId', kind: 'address', maxLength: 256, repeatable: true },
  { tag: 'stc', key: 'statusCode', kind: 'digits', maxLength: 4 },
  { tag: 'stt', key: 'statusText', kind: 'text', maxLength: 32 },
  { tag: 'pri', key: 'priority', kind: 'digits', maxLength: 1 },
  { tag: 'lco', key: 'locationCode', kind: 'digits', maxLength: 3 },
  { tag: 'lva', key: 'locationValue', kind: 'text', maxLength: 2 },
  { tag: 'lge', key: 'locationGeo', kind: 'group', maxLength: 0 },
  { tag: 'lte', key: 'locationText', kind: 'text', maxLength: 32 },
  { tag: 'ico', key: 'infoCode', kind: 'word', maxLength: 3 },
  { tag: 'ite', key: 'infoText', kind: 'text', maxLength: 128 },
  { tag: 'ame', key: 'additionalMessages', kind: 'word', maxLength: 4 },
] as const satisfies readonly ScaipElement[];

/** `snu`: what the answer tells the device. */
export const SNU = {
  ok: 0,
  messageTooLong: 1,
  invalidFormat: 2,
  wrongContent: 3,
  hold: 4,
  notTreated: 5,
  busy: 6,
  mandatoryTagMissing: 7,
  referenceMissing: 10,
  undefinedError: 99,
} as const;
export type Snu = (typeof SNU)[keyof typeof SNU];

/** `sco`: words of both lists of the API. */
export const SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  '0': 'localUnitAndController',
  '1': 'groupedSupervisorOffDuty',
  '2': 'groupedSupervisorOnDuty',
  '3': 'groupedSupervisorOnDutyArc',
};

/** `cre` values that are no minutes. */
export const CRE = { predefinedReceiver: 61, transferredNumber: 62 } as const;

/** `mre`: how speech begins. */
export const MRE = { noVoice: 0, duplex: 1, listen: 2, speak: 3 } as const;

/** Control tones, centre to device: one digit. SCAIP listen is 7 and speak 8, BS 8521 has them the other way. */
export const CONTROL_TONE = {
  clearDown: '0',
  volumeDown: '1',
  volumeUp: '3',
  duplex: '4',
  listen: '7',
  speak: '8',
  output: '9',
} as const;

/** `stc` that withdraws the open alarm of the same controller. */
export const STC_CANCEL = 19;
