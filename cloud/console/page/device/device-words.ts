import { useLingui } from '@lingui/react/macro';
import { AUTH_TYPES } from '../../component/wording/auth-type-words.ts';

type Words = Readonly<Record<string, string>>;

/** The kinds of authentication of a device, in the language of the console. */
export function useAuthTypeWords(): Words {
  const { i18n } = useLingui();
  return Object.fromEntries(Object.entries(AUTH_TYPES).map(([type, words]) => [type, i18n._(words)]));
}

/** The kinds of devices. */
export function useDeviceTypeWords(): Words {
  const { t } = useLingui();
  return {
    alarmUnit: t`Alarm unit`,
    sipDevice: t`SIP telephone or gateway`,
    groupScheme: t`Group scheme`,
    alarmbridgeAlarmUnit: t`Alarm unit of an alarm receiver`,
    alarmbridgeGroupSchemeController: t`Controller of a group scheme`,
    alarmbridgeGroupSchemeUnit: t`Unit of a group scheme`,
    alarmbridgeConnectGateway: t`Connect gateway`,
    alarmbridgeConnect: t`Connect device`,
    jwtAuthenticatedOnDemandDevice: t`Application that signs in with a token`,
  };
}
