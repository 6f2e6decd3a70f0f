/**
 * How a value that stands in only one of the two lists is said in the other; null = no word for it.
 * A value that stands in both lists is its own translation and is not repeated here.
 */

/** Values of the send list only, said in words of the receive list. */
export const SEND_ONLY = {
  deviceType: {
    dutySwitchRemote: 'dutySwitch',
    monitoringDevice: null,
    unknown: null, // see receivedForm
    wanderingSensor: 'doorSensor', // with statusCode wanderingSensor when the status is an alarm
    heartRateMonitor: null,
    perimeter: 'boundaryDetector',
    sprinkler: 'fireAlarm',
    tamper: 'systemMonitor', // with statusCode tamper when the status is an alarm
    printer: null,
    router: null,
    lock: null,
    accessController: null,
    controller: 'localUnit',
    elevator: 'localUnit',
    trackingDevice: null,
  },
  statusCode: {
    failure: 'fault',
    malfunction: 'fault',
    inactive: 'alarm',
    acknowledge: null,
    trespass: 'alarm',
    maintenanceScheduled: null,
    maintenanceUrgent: 'fault',
    cancel: 'cleared',
    presencePlanned: 'present',
    resetAutomatic: 'cleared',
    resetManual: 'cleared',
    disconnected: 'offline',
    activated: 'alarm',
    alert: 'alarm',
    batteryFailure: 'fault',
    closed: 'close',
    communicationLinkGSMFailure: 'fault',
    powerFailure: 'fault',
    powerRestored: 'faultRectified',
    presenceUponAlarm: 'present',
    reset: 'cleared',
    restoral: 'normal',
    rfInterference: 'fault',
    stopped: 'off',
    checkout: 'cleared',
    communicationLinkIPRestored: 'faultRectified',
    communicationLinkGSMRestored: 'faultRectified',
    communicationLinkPOTSRestored: 'faultRectified',
    movement: null,
    radioTestFailed: 'fault',
    radioTestRestored: 'faultRectified',
    armed: 'on',
    offIndication: 'off',
    onIndication: 'on',
    locked: null,
    unauthorizedAccess: 'alarm',
  },
  location: {
    outdoors: null,
    outside: null,
    gym: null,
  },
  deviceComponent: {},
  systemConfig: {},
  audio: {},
} as const;

/** Values of the receive list only, said in words of the send list. */
export const RECEIVE_ONLY = {
  deviceType: {
    auxInput: 'fixedTrigger',
    carerTrigger: 'dutySwitch',
    co2gasDetector: 'environmentalMonitor',
    electricalUsage: 'environmentalMonitor',
    rom1: 'unknown',
    rom2: 'unknown',
    rom3: 'unknown',
    rom4: 'unknown',
    specialFunction: 'unknown',
  },
  statusCode: {
    alarmTest: null, // SCAIP stc 0102, BS 8521 event 058, SIA RP, Contact ID 1602
    cleared: 'restoral',
    close: 'closed',
    fault: 'failure',
    inService: 'faultRectified',
    off: 'offIndication',
    on: 'onIndication',
    unknown: null, // leave the status out (SCAIP stc 0000)
    wanderingSensor: 'alarm', // with deviceType wanderingSensor
  },
  location: {
    hall: 'hallwayDownstairs',
    shower: 'bathRoom',
    wc: 'bathRoom',
  },
  deviceComponent: {},
  systemConfig: {},
  audio: {},
} as const;
