import { generateKeyPairSync } from 'node:crypto';
import { ENGINE_FLAGS } from '#installer/io/engine-flag.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import {
  type ApplianceAsk,
  type ApplianceReady,
  type ApplianceReport,
  type ApplianceSetting,
  applianceProcess,
} from '../process/appliance-setting.ts';
import type {
  ApplicationAsk,
  ApplicationReady,
  ApplicationSetting,
  ReceivedCallback,
} from '../process/application.ts';
import {
  type CallsAsk,
  type CallsReady,
  type CallsReport,
  type CallsSetting,
  callsProcess,
} from '../process/calls-setting.ts';
import { type LoadAnswer, type LoadAsk, loadProcess, type Stream } from '../process/load-setting.ts';
import { type Child, type ChildOptions, startChild } from './child-process.ts';
import type { Place } from './place.ts';

export type Appliance = Child<ApplianceReady, ApplianceAsk, ApplianceReport>;
export type Application = Child<ApplicationReady, ApplicationAsk, readonly ReceivedCallback[]>;
export type Load = Child<null, LoadAsk, LoadAnswer>;

export type Calls = Child<CallsReady, CallsAsk, CallsReport>;

export const DOMAIN = 'bench.example';

/** With `--cpu-prof` among the flags of the bench's own process the appliance writes a profile as well. */
export const profiled = process.execArgv.filter((flag) => flag.startsWith('--cpu-prof'));

/** The engine is set as in the binary: with the heap that Node would take here a collection costs less and holds up more. */
const asDelivered = ({ nodeFlags = [], ...options }: ChildOptions): ChildOptions => ({
  ...options,
  nodeFlags: [...ENGINE_FLAGS, ...profiled, ...nodeFlags],
});

export const startAppliance = (
  setting: Omit<ApplianceSetting, 'domain'>,
  options: ChildOptions = {},
): Promise<Appliance> => startChild(applianceProcess, { domain: DOMAIN, ...setting }, asDelivered(options));

/** An appliance of calls: a trunk may call `bridge`, which answers, and the devices in `called`. */
export const startCalls = (
  setting: Pick<CallsSetting, 'folder' | 'media'> & Partial<CallsSetting>,
  options: ChildOptions = {},
): Promise<Calls> =>
  startChild(
    callsProcess,
    {
      domain: DOMAIN,
      answered: 'bridge',
      trunkAddress: '127.0.0.1',
      called: [],
      ...setting,
    },
    asDelivered(options),
  );

/** Calls from a thousand numbers. */
export const callsTo = (port: number, receiver: string): Omit<Stream, 'name'> => ({
  port,
  domain: DOMAIN,
  receiver,
  prefix: '+4685551',
  devices: 1_000,
  kind: 'call',
});

export const startLoad = (streams: readonly Stream[], options: ChildOptions = {}): Promise<Load> =>
  startChild(loadProcess, { streams }, options);

/** An application that answers `drop` unless `answers` says otherwise, and the authority that its certificate and ours come from. */
export async function startApplication(
  place: Place,
  options: ChildOptions = {},
  answers: ApplicationSetting['answers'] = {},
) {
  const authority = await openFolderAuthority(place.folder(), Date.now());
  const { cert, key } = await authority.issueServer(['127.0.0.1'], Date.now());
  const setting: ApplicationSetting = { cert, key, answers, otherwise: { action: 'drop' } };
  const file = new URL('../process/application.ts', import.meta.url);
  const application: Application = await place.keep(startChild(file, setting, options));
  return { application, trust: authority.ca, url: `https://127.0.0.1:${application.ready.port}` };
}

/** The bridge of the alarm benches: callbacks are signed with ES256, as those of the demo tenant are. */
export function alarmBridge(url: string): Readonly<Record<string, unknown>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const restAuthentication = [{ sub: 'bench', scope: 'alarm', type: 'ES256', secret }];
  return {
    id: 'bridge',
    name: 'Bench',
    destinationMatch: '^scaip$',
    callbackBaseUrl: url,
    restAuthentication,
  };
}
