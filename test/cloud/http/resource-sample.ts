import { BRIDGE } from './api.ts';

/** One kind of resource as the API serves it. */
export interface ResourceSample {
  /** Path before the domain. */
  readonly base: string;
  /** Member of answers. */
  readonly member: string;
  /** Body of POST with every default and one of each secret; `SECRET` marks them. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly hasSets: boolean;
  readonly hasPatch: boolean;
}

export const SECRET = 'do-not-show';

const restAuthentication = [{ sub: 'carillon', secret: SECRET, type: 'HS256' }];
const service = {
  name: 'Service',
  destinationMatch: '^service$',
  callbackBaseUrl: 'https://app.example/callback',
  restAuthentication,
};

export const MAPPER = {
  name: 'Centre',
  targetEndpoint: {
    protocol: 'sia-dcs',
    destAddr: 'receiver.example:12300',
    sipAuthPassword: SECRET,
    trunkKey: SECRET,
    dc09: { key: 'ab'.repeat(16), account: '1234' },
    backupEndpoint: { backupDestAddr: 'backup.example:12300', backupSipAuthPassword: SECRET },
  },
} as const;

export const PROFILE = {
  name: 'bs8521-slow',
  kind: 'tone',
  extends: 'bs8521',
  content: { collect: { interDigitMs: 900 } },
} as const;

const sets = { hasSets: true, hasPatch: true } as const;

export const SAMPLES: readonly ResourceSample[] = [
  { base: '/provisioning/alarmbridge', member: 'alarmbridge', body: BRIDGE, ...sets },
  { base: '/provisioning/alarmeventmapper', member: 'alarmeventmapper', body: MAPPER, ...sets },
  { base: '/provisioning/cloudsipua', member: 'cloudsipua', body: service, ...sets },
  {
    base: '/provisioning/trunk',
    member: 'trunk',
    body: {
      name: 'Carrier',
      hosts: [{ uri: 'sip:192.0.2.1' }],
      username: 'u',
      password: SECRET,
      trunkKey: SECRET,
      terminatingTrunkGroupId: 'in',
    },
    ...sets,
  },
  {
    base: '/provisioning/protocolprofile',
    member: 'protocolprofile',
    body: PROFILE,
    hasSets: false,
    hasPatch: true,
  },
  { base: '/mediaservice', member: 'mediaservice', body: service, hasSets: false, hasPatch: false },
  { base: '/callrecording', member: 'callrecording', body: service, hasSets: false, hasPatch: false },
];
