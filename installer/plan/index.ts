export { type Action, actionText, type Undo } from './action.ts';
export { type ClaimText, claimOfText } from './claim-text.ts';
export {
  applianceKeys,
  asSources,
  configurationText,
  fromEnvironment,
  merged,
  secretKeys,
  type Written,
} from './configuration.ts';
export type { UnitFile } from './host-file.ts';
export { CONFIGURE_WATCH, configurePlan, type InstallInfo, installPlan } from './install-plan.ts';
export { type JournalEntry, type JournalState, readJournal, resumption } from './journal.ts';
export { layout, SERVICE, slotOf, versionOf } from './layout.ts';
export { MEMORY_PROFILES, neededMb } from './memory-profile.ts';
export {
  NETPLAN_FILE,
  NETPLAN_FOLDER,
  NETWORK_WATCH,
  type NetworkFile,
  type NetworkOwner,
  networkPlan,
} from './network-plan.ts';
export type { NetworkPlanRequest, OtherFamily } from './network-request.ts';
export { type Plan, type PlanName, planLines, type Step } from './plan.ts';
export {
  type PlatformNetworkInfo,
  type PlatformNetworkRequest,
  type PlatformNetworkStep,
  platformNetwork,
  type RetainedNames,
} from './platform-network.ts';
export { reachedAt } from './reached-at.ts';
export { type Look, type PlanEvent, PlanFailure, type PlanPorts, runPlan, takeAllBack } from './run-plan.ts';
export { type TimeInfo, type TimeRefusal, type TimeRequest, type TimeStep, timePlace } from './time-place.ts';
export type { TimeChange } from './time-plan.ts';
export { chronyText, directives, isOurTime, type TimePlace } from './time-text.ts';
export { keptByUninstall, uninstallPlan } from './uninstall-plan.ts';
export { rollbackPlan, TRIAL_END, type UpgradeInfo, upgradePlan, WATCH } from './upgrade-plan.ts';
export { type VipInfo, type VipRefusal, type VipRequest, type VipStep, vipPlace } from './vip-place.ts';
export type { VipChange } from './vip-plan.ts';
export { isOurVip, keepalivedText, type VipPlace } from './vip-text.ts';
