/**
 * How events are said in SIA and in Contact ID: proposals of this project, not of a standard. A tenant's own mapping
 * has the same shape. `cid` is qualifier and event: `1131`.
 */
export interface SiaCode {
  readonly sia: string;
  readonly cid: string;
}

/** Device type and state of the event; an absent condition is not looked at. */
export interface SiaStatusRule extends SiaCode {
  readonly deviceType?: readonly string[];
  readonly statusCode: readonly string[];
}

/** A field of the native event, as it stands in `SourceAlarmEvent.fields`. Codes are compared as integers. */
export interface SiaNativeRule extends SiaCode {
  readonly element: string;
  readonly value: readonly string[];
}

export type StatusClass = 'alarm' | 'restore' | 'trouble' | 'troubleRestore';

export interface SiaMapping {
  readonly name: string;
  /** Where the native event is looked at first: its protocols. */
  readonly nativeRules: readonly SiaNativeRule[];
  readonly statusRules: readonly SiaStatusRule[];
  /** The class of each state; `info` is sent as a status report of the device. */
  readonly statusClass: Readonly<Record<StatusClass | 'info', readonly string[]>>;
  /** By device type; `unknown` for every other. */
  readonly devices: Readonly<Record<string, Readonly<Record<StatusClass, SiaCode>>>>;
}

const code = (sia: string, cid: string): SiaCode => ({ sia, cid });

const STATUS_CLASS: SiaMapping['statusClass'] = {
  alarm: [
    'alarm',
    'alarmManual',
    'alert',
    'activated',
    'highLevel',
    'trespass',
    'unauthorizedAccess',
    'inactive',
    'unknown',
  ],
  restore: [
    'normal',
    'restoral',
    'reset',
    'resetAutomatic',
    'resetManual',
    'closed',
    'close',
    'stopped',
    'offIndication',
    'off',
  ],
  trouble: ['failure', 'malfunction', 'fault', 'disconnected', 'busy'],
  troubleRestore: ['faultRectified', 'inService'],
  info: [
    'acknowledge',
    'inBed',
    'locked',
    'pillReminder',
    'pillTaken',
    'privacySwitchOperated',
    'armed',
    'absent',
    'open',
    'movement',
    'occupied',
    'on',
    'onIndication',
  ],
};

// biome-ignore format: one row a line reads as a table
const STATUS_RULES: readonly SiaStatusRule[] = [
  { deviceType: ['heartbeat'], statusCode: ['offline'], sia: 'YC', cid: '1350' }, // heartbeat lost
  { deviceType: ['heartbeat'], statusCode: ['online'], sia: 'YK', cid: '3350' }, // heartbeat back
  { statusCode: ['offline'], sia: 'UY', cid: '1381' },
  { statusCode: ['online'], sia: 'UJ', cid: '3381' },
  { deviceType: ['localUnit', 'controller', 'systemMonitor', 'dcPowerSupply', 'monitoringDevice', 'elevator', 'heartbeat', 'unknown'], statusCode: ['lowBattery'], sia: 'YT', cid: '1302' },
  { statusCode: ['lowBattery'], sia: 'XT', cid: '1384' }, // portable and radio devices
  { deviceType: ['localUnit', 'controller', 'systemMonitor', 'dcPowerSupply', 'monitoringDevice', 'elevator', 'heartbeat', 'unknown'], statusCode: ['batteryFailure'], sia: 'YM', cid: '1311' },
  { statusCode: ['batteryFailure'], sia: 'XT', cid: '1384' },
  { deviceType: ['localUnit', 'controller', 'systemMonitor', 'dcPowerSupply', 'monitoringDevice', 'elevator', 'heartbeat', 'unknown'], statusCode: ['batteryFull'], sia: 'YR', cid: '3302' },
  { statusCode: ['batteryFull'], sia: 'XR', cid: '3384' },
  { statusCode: ['powerFailure'], sia: 'AT', cid: '1301' },
  { statusCode: ['powerRestored'], sia: 'AR', cid: '3301' },
  { statusCode: ['tamper'], sia: 'TA', cid: '1383' },
  { statusCode: ['communicationLinkIPFailure'], sia: 'NT', cid: '1350' },
  { statusCode: ['communicationLinkIPRestored'], sia: 'NR', cid: '3350' },
  { statusCode: ['communicationLinkGSMFailure'], sia: 'YC', cid: '1353' },
  { statusCode: ['communicationLinkGSMRestored'], sia: 'YK', cid: '3353' },
  { statusCode: ['communicationLinkPOTSFailure'], sia: 'LT', cid: '1351' },
  { statusCode: ['communicationLinkPOTSRestored'], sia: 'LR', cid: '3351' },
  { statusCode: ['communicationLinkPrimaryFailure'], sia: 'YC', cid: '1350' },
  { statusCode: ['communicationLinkRedundantFailure'], sia: 'YC', cid: '1354' },
  { statusCode: ['rfInterference'], sia: 'XQ', cid: '1344' },
  { statusCode: ['radioTestFailed'], sia: 'UY', cid: '1381' },
  { statusCode: ['radioTestRestored'], sia: 'UJ', cid: '3381' },
  { statusCode: ['temperatureHigh'], sia: 'KA', cid: '1158' },
  { statusCode: ['temperatureLow'], sia: 'ZA', cid: '1159' },
  { statusCode: ['temperatureRateOfRise'], sia: 'KA', cid: '1114' },
  { statusCode: ['alarmTest'], sia: 'RP', cid: '1602' },
  { statusCode: ['outOfService'], sia: 'UB', cid: '1570' },
  { statusCode: ['maintenanceScheduled', 'maintenanceUrgent'], sia: 'YX', cid: '1393' },
  { statusCode: ['cancel', 'cleared'], sia: 'OC', cid: '1406' },
  { statusCode: ['present', 'presencePlanned', 'presenceUponAlarm'], sia: 'JP', cid: '1466' },
  { statusCode: ['checkout'], sia: 'JP', cid: '3466' },
  { statusCode: ['pillNotTaken'], sia: 'MS', cid: '1102' },
  { statusCode: ['wanderingSensor'], sia: 'MA', cid: '1100' },
  { deviceType: ['bedMonitor', 'chairMonitor', 'occupancyDetector'], statusCode: ['absent'], sia: 'MA', cid: '1100' }, // person has left bed, chair or home
  { deviceType: ['bedMonitor', 'chairMonitor', 'occupancyDetector', 'matSensor', 'bathSensor'], statusCode: ['occupied'], sia: 'MA', cid: '1100' },
  { deviceType: ['doorSensor'], statusCode: ['open'], sia: 'UA', cid: '1150' },
  { deviceType: ['activityDetector'], statusCode: ['movement'], sia: 'NS', cid: '3102' },
  { deviceType: ['dutySwitch', 'dutySwitchRemote', 'carerTrigger'], statusCode: ['on', 'onIndication'], sia: 'JP', cid: '1466' },
];

// biome-ignore format: one row a line reads as a table
const DEVICES: SiaMapping['devices'] = {
  fixedTrigger: { alarm: code('QA', '1101'), restore: code('QH', '3101'), trouble: code('QT', '1380'), troubleRestore: code('QJ', '3380') },
  personalTrigger: { alarm: code('QA', '1101'), restore: code('QH', '3101'), trouble: code('QT', '1380'), troubleRestore: code('QJ', '3380') },
  fallDetector: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  automaticPersonDown: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  personalAttackPendent: { alarm: code('HA', '1122'), restore: code('HH', '3122'), trouble: code('HT', '1376'), troubleRestore: code('HJ', '3376') },
  bogusCallerSwitch: { alarm: code('HA', '1122'), restore: code('HH', '3122'), trouble: code('HT', '1376'), troubleRestore: code('HJ', '3376') },
  panicAlarmButton: { alarm: code('PA', '1120'), restore: code('PH', '3120'), trouble: code('PT', '1375'), troubleRestore: code('PJ', '3375') },
  pillDispenser: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  bedMonitor: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  chairMonitor: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  matSensor: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  enuresisDetector: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  epilepsyDetector: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  heartRateMonitor: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  wanderingSensor: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  occupancyDetector: { alarm: code('MA', '1100'), restore: code('MH', '3100'), trouble: code('MT', '1380'), troubleRestore: code('MJ', '3380') },
  activityDetector: { alarm: code('NA', '1102'), restore: code('NS', '3102'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  doorSensor: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('DT', '1380'), troubleRestore: code('DR', '3380') },
  environmentalMonitor: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  co2gasDetector: { alarm: code('GA', '1151'), restore: code('GH', '3151'), trouble: code('GT', '1380'), troubleRestore: code('GJ', '3380') },
  naturalGasDetector: { alarm: code('GA', '1151'), restore: code('GH', '3151'), trouble: code('GT', '1380'), troubleRestore: code('GJ', '3380') },
  carbonMonoxideDetector: { alarm: code('GA', '1162'), restore: code('GH', '3162'), trouble: code('GT', '1380'), troubleRestore: code('GJ', '3380') },
  smokeDetector: { alarm: code('FA', '1111'), restore: code('FH', '3111'), trouble: code('FT', '1373'), troubleRestore: code('FJ', '3373') },
  fireAlarm: { alarm: code('FA', '1110'), restore: code('FH', '3110'), trouble: code('FT', '1373'), troubleRestore: code('FJ', '3373') },
  sprinkler: { alarm: code('SA', '1113'), restore: code('SH', '3113'), trouble: code('ST', '1373'), troubleRestore: code('SJ', '3373') },
  heatDetector: { alarm: code('KA', '1114'), restore: code('KH', '3114'), trouble: code('KT', '1373'), troubleRestore: code('KJ', '3373') },
  heatingMonitor: { alarm: code('ZA', '1153'), restore: code('ZH', '3153'), trouble: code('ZT', '1380'), troubleRestore: code('ZJ', '3380') },
  lightningCircuitMonitor: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  electricalUsage: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  floodDetector: { alarm: code('WA', '1154'), restore: code('WH', '3154'), trouble: code('WT', '1380'), troubleRestore: code('WJ', '3380') },
  bathSensor: { alarm: code('WA', '1154'), restore: code('WH', '3154'), trouble: code('WT', '1380'), troubleRestore: code('WJ', '3380') },
  intruderDetector: { alarm: code('BA', '1130'), restore: code('BH', '3130'), trouble: code('BT', '1380'), troubleRestore: code('BJ', '3380') },
  boundaryDetector: { alarm: code('BA', '1131'), restore: code('BH', '3131'), trouble: code('BT', '1380'), troubleRestore: code('BJ', '3380') },
  perimeter: { alarm: code('BA', '1131'), restore: code('BH', '3131'), trouble: code('BT', '1380'), troubleRestore: code('BJ', '3380') },
  tamper: { alarm: code('TA', '1137'), restore: code('TR', '3137'), trouble: code('TT', '1383'), troubleRestore: code('TJ', '3383') },
  systemMonitor: { alarm: code('YX', '1300'), restore: code('YZ', '3300'), trouble: code('YX', '1300'), troubleRestore: code('YZ', '3300') },
  controller: { alarm: code('YX', '1300'), restore: code('YZ', '3300'), trouble: code('YX', '1300'), troubleRestore: code('YZ', '3300') },
  monitoringDevice: { alarm: code('YX', '1300'), restore: code('YZ', '3300'), trouble: code('YX', '1300'), troubleRestore: code('YZ', '3300') },
  communicationLinkMonitor: { alarm: code('YC', '1350'), restore: code('YK', '3350'), trouble: code('YC', '1350'), troubleRestore: code('YK', '3350') },
  router: { alarm: code('NT', '1350'), restore: code('NR', '3350'), trouble: code('NT', '1350'), troubleRestore: code('NR', '3350') },
  dcPowerSupply: { alarm: code('YP', '1300'), restore: code('YQ', '3300'), trouble: code('YP', '1300'), troubleRestore: code('YQ', '3300') },
  radioUnit: { alarm: code('ET', '1333'), restore: code('ER', '3333'), trouble: code('ET', '1333'), troubleRestore: code('ER', '3333') },
  localUnit: { alarm: code('QA', '1101'), restore: code('QH', '3101'), trouble: code('YX', '1300'), troubleRestore: code('YZ', '3300') },
  elevator: { alarm: code('QA', '1101'), restore: code('QH', '3101'), trouble: code('YX', '1300'), troubleRestore: code('YZ', '3300') },
  trackingDevice: { alarm: code('QA', '1101'), restore: code('QH', '3101'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  lock: { alarm: code('DF', '1423'), restore: code('DR', '3423'), trouble: code('DT', '1380'), troubleRestore: code('DR', '3380') },
  accessController: { alarm: code('DF', '1423'), restore: code('DR', '3423'), trouble: code('DT', '1380'), troubleRestore: code('DR', '3380') },
  printer: { alarm: code('VT', '1336'), restore: code('VR', '3336'), trouble: code('VT', '1336'), troubleRestore: code('VR', '3336') },
  dutySwitch: { alarm: code('JP', '1466'), restore: code('JP', '3466'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  dutySwitchRemote: { alarm: code('JP', '1466'), restore: code('JP', '3466'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  carerTrigger: { alarm: code('JP', '1466'), restore: code('JP', '3466'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  auxInput: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  specialFunction: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  rom1: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  rom2: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  rom3: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  rom4: { alarm: code('UA', '1150'), restore: code('UH', '3150'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
  heartbeat: { alarm: code('RP', '1602'), restore: code('RP', '3602'), trouble: code('YC', '1350'), troubleRestore: code('YK', '3350') },
  unknown: { alarm: code('UA', '1140'), restore: code('UH', '3140'), trouble: code('UT', '1380'), troubleRestore: code('UJ', '3380') },
};

// biome-ignore format: one row a line reads as a table
const SCAIP_RULES: readonly SiaNativeRule[] = [
  { element: 'mty', value: ['RE'], sia: 'OC', cid: '1406' },
  { element: 'dty', value: ['0035'], sia: 'JK', cid: '1102' }, // key box or latch key
  { element: 'stc', value: ['0102', '0103'], sia: 'RP', cid: '1602' },
  { element: 'stc', value: ['0012'], sia: 'CL', cid: '3400' },
  { element: 'stc', value: ['0030'], sia: 'OP', cid: '1400' },
  { element: 'stc', value: ['0018'], sia: 'UB', cid: '1570' },
  { element: 'stc', value: ['0108'], sia: 'UU', cid: '3570' },
  { element: 'stc', value: ['0029'], sia: 'DD', cid: '1421' },
  { element: 'stc', value: ['0052', '0122'], sia: 'XQ', cid: '1344' },
  { element: 'stc', value: ['0068', '0079'], sia: 'JO', cid: '1624' },
  { element: 'stc', value: ['0077'], sia: 'DL', cid: '1150' },
  { element: 'stc', value: ['0110'], sia: 'QA', cid: '1101' },
  { element: 'stc', value: ['0115', '0116'], sia: 'YK', cid: '3350' },
];

// biome-ignore format: one row a line reads as a table
const LIFT_RULES: readonly SiaNativeRule[] = [
  { element: 'key', value: ['alarmWithVoice', 'alarm'], sia: 'QA', cid: '1101' },
  { element: 'key', value: ['rescueEnded'], sia: 'QH', cid: '3101' },
  { element: 'key', value: ['selfTest', 'checkingCall'], sia: 'RP', cid: '1602' },
  { element: 'key', value: ['batteryFailure', 'replaceBattery'], sia: 'YT', cid: '1302' },
  { element: 'key', value: ['batteryReplaced'], sia: 'YR', cid: '3302' },
  { element: 'key', value: ['buttonStuck', 'buttonStuckOrRepaired', 'audioError', 'audioErrorOrRepaired', 'otherFailure'], sia: 'IA', cid: '1300' },
  { element: 'key', value: ['buttonRepaired', 'audioRepaired'], sia: 'IR', cid: '3300' },
];

const DEFAULT: SiaMapping = {
  name: 'default',
  nativeRules: [],
  statusRules: STATUS_RULES,
  statusClass: STATUS_CLASS,
  devices: DEVICES,
};

/** Values of `siaMapping` that are built in. */
export const SIA_MAPPINGS: Readonly<Record<string, SiaMapping>> = {
  default: DEFAULT,
  scaip: { ...DEFAULT, name: 'scaip', nativeRules: SCAIP_RULES },
  p100: { ...DEFAULT, name: 'p100', nativeRules: LIFT_RULES },
};
