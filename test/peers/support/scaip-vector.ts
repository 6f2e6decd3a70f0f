import { readFileSync } from 'node:fs';

export interface ScaipVector {
  readonly id: string;
  readonly name: string;
  readonly given?: {
    readonly action?: string;
    readonly usePredefinedDestination?: boolean;
    readonly emergencyDestination?: string | null;
    readonly analogueVoiceNumber?: string;
    readonly heartbeatIntervalMs?: number;
    readonly callback?: string;
  };
  readonly request?: string;
  readonly alarmEvent: Readonly<Record<string, unknown>> | null;
  readonly response?: Readonly<Record<string, string>>;
}

const file = new URL('../../vectors/alarm/scaip.json', import.meta.url);
const { scaip } = JSON.parse(readFileSync(file, 'utf8')) as { scaip: readonly ScaipVector[] };

/** The vectors that are one request and one answer. */
export const singleExchanges: readonly (ScaipVector & Required<Pick<ScaipVector, 'request' | 'response'>>)[] =
  scaip.flatMap((vector) => {
    const { request, response } = vector;
    return request === undefined || response === undefined ? [] : [{ ...vector, request, response }];
  });

const texts = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map((found) => found[1] ?? '');

export const textOf = (xml: string, tag: string): string | undefined => texts(xml, tag)[0];

/** The provisioning of a vector: each has a bridge, an application and a device of its own. */
export function provisioned(vector: ScaipVector, url: string) {
  const { given = {}, id } = vector;
  const bridge = {
    id,
    name: vector.name,
    destinationMatch: `^${id}$`,
    customerSiteId: id,
    callbackBaseUrl: `${url}/${id}`,
    ...(given.emergencyDestination && { defaultEmergencyDestination: given.emergencyDestination }),
    ...(given.analogueVoiceNumber !== undefined && { analogueVoiceNumber: given.analogueVoiceNumber }),
  };
  return bridge;
}

export function deviceOf(vector: ScaipVector): Readonly<Record<string, unknown>>[] {
  const { given = {}, id, request = '' } = vector;
  const alarmBridge = {
    ...(given.usePredefinedDestination === true && { usePredefinedDestination: true }),
    ...(given.heartbeatIntervalMs !== undefined && { heartbeatInterval: given.heartbeatIntervalMs }),
  };
  if (Object.keys(alarmBridge).length === 0) return [];
  return [{ deviceId: `${id}:${textOf(request, 'cid')}`, serviceData: { alarmBridge } }];
}
