export { HistoryTrial, type HistoryTrialSetting, type TrialSums } from './history-trial.ts';
export { type PastAlarm, pastAlarm } from './past-alarm.ts';
export type { HostFacts } from './receiver-set.ts';
