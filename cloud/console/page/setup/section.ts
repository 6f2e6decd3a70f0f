import { useLingui } from '@lingui/react/macro';
import type { Kind } from './kind.ts';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly string[];
}

/** The parts of the editor of a kind, in the order in which an alarm or a call meets them. */
export function useParts({ page }: Kind): readonly Part[] {
  const { t } = useLingui();
  const tells = {
    id: 'tells',
    title: t`Notifies`,
    fields: [
      'callbackBaseUrl',
      'callbackName',
      'callbackDescription',
      'callbackTimeout',
      'restAuthentication',
      'alarmPath',
      'alarmEventMapperId',
      'lacsCallback',
    ],
  };
  const takes = {
    id: 'takes',
    title: t`Takes`,
    fields: ['name', 'description', 'protocol', 'destinationMatch', 'order'],
  };
  switch (page) {
    case 'bridge':
      return [
        takes,
        {
          id: 'understands',
          title: t`Understands`,
          fields: [
            ...['protocolMode', 'protocolProfile', 'fallbackAlarmProtocol', 'dataRequestInterval'],
            ...['toneSettings', 'dc09', 'customEventMap', 'customerSiteId', 'resolveDeviceFromDeviceCLI'],
          ],
        },
        tells,
        {
          id: 'voice',
          title: t`Voice`,
          fields: [
            ...['enforceSpeakListen', 'controlCommandsEnabled', 'arcDisconnectClearsCall', 'voiceCallSource'],
            ...['analogueVoiceNumber', 'useVoiceBridge', 'useVPNConnection', 'defaultEmergencyDestination'],
            'enforceIvrDestination',
          ],
        },
        {
          id: 'supervision',
          title: t`Supervision`,
          fields: ['defaultHeartbeatInterval', 'auditRecording'],
        },
      ];
    case 'sender':
      return [
        { ...takes, fields: ['name', 'description', 'alarmHandling'] },
        { ...tells, title: t`Sends to`, fields: ['targetEndpoint', 'protocolProfile'] },
        {
          id: 'understands',
          title: t`Event it sends`,
          fields: [
            ...['mappingRules', 'deviceIdPadLength', 'controllerIdPadLength', 'mapDeviceIdToControllerId'],
          ],
        },
        {
          id: 'voice',
          title: t`Voice`,
          fields: [
            ...['callerId', 'fromDomain', 'useDeviceIdAsSipFrom', 'useVoiceCallbackDestinationAsARCSipFrom'],
            ...['voiceCallSipFromUserMatch', 'voiceCallSipFromUserRewrite', 'preferredCodec'],
            ...['unknownAlarmEventVoiceDestination', 'analogueVoiceNumber', 'useVoiceBridge'],
            'enforceIvrDestination',
          ],
        },
        {
          id: 'supervision',
          title: t`Supervision`,
          fields: ['enableDestinationMonitoring', 'maxSessionDuration'],
        },
      ];
    case 'profile':
      return [
        { id: 'name', title: t`Name and base`, fields: ['name', 'kind', 'extends'] },
        { id: 'content', title: t`Differences from its base`, fields: ['content'] },
      ];
    case 'trunk':
      return [
        {
          id: 'name',
          title: t`Name and group`,
          fields: ['name', 'description', 'trunkGroupId', 'direction'],
        },
        { id: 'way', title: t`Way to the carrier`, fields: ['hosts', 'transport', 'optionsInterval'] },
        { id: 'sign-in', title: t`Authentication`, fields: ['username', 'password', 'register'] },
        {
          id: 'in',
          title: t`Calls from the carrier`,
          fields: ['ipAllowList', 'trunkKey', 'terminatingTrunkGroupId'],
        },
        { id: 'number', title: t`Numbers`, fields: ['numberPrefix', 'strip', 'prepend'] },
        { id: 'media', title: t`Media`, fields: ['codecs', 'srtp', 'forceRtpRelay', 'emergencyData'] },
      ];
    default:
      return [
        takes,
        tells,
        {
          id: 'voice',
          title: t`Voice`,
          fields: ['codecs', 'codecLimit', 'fromDomain', 'forceRtpRelay'],
        },
        {
          id: 'supervision',
          title: t`Supervision`,
          fields: ['emergencyDestination', 'emergencyFallback', 'maxSessionDuration', 'retention'],
        },
      ];
  }
}
