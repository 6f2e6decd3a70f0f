import { useLingui } from '@lingui/react/macro';

type Words = Readonly<Record<string, string>>;

/** The ways in which a device proves itself. */
export function useAuthTypeWords(): Words {
  const { t } = useLingui();
  return {
    credentials: t`User and password (SIP digest)`,
    deviceid: t`Its ID alone (alarms by SCAIP)`,
    userid: t`A bearer token (application or console telephone)`,
    disabled: t`None: no SIP access`,
  };
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
