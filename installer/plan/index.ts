export { type Action, actionText, type Undo } from './action/action.ts';
export { type JournalEntry, type JournalState, readJournal, resumption } from './action/journal.ts';
export { layout, SERVICE, slotOf, versionOf } from './action/layout.ts';
export { type Plan, type PlanName, planLines, type Step } from './action/plan.ts';
export {
  type Look,
  type PlanEvent,
  PlanFailure,
  type PlanPorts,
  runPlan,
  takeAllBack,
} from './action/run-plan.ts';
export { type ClaimText, claimOfText } from './install/claim-text.ts';
export {
  applianceKeys,
  asSources,
  configurationText,
  fromEnvironment,
  merged,
  secretKeys,
  type Written,
} from './install/configuration.ts';
export type { UnitFile } from './install/host-file.ts';
export { CONFIGURE_WATCH, configurePlan, type InstallInfo, installPlan } from './install/install-plan.ts';
export { MEMORY_PROFILES, neededMb } from './install/memory-profile.ts';
export { reachedAt } from './install/reached-at.ts';
export { keptByUninstall, uninstallPlan } from './install/uninstall-plan.ts';
export { rollbackPlan, TRIAL_END, type UpgradeInfo, upgradePlan, WATCH } from './install/upgrade-plan.ts';
export {
  NETPLAN_FILE,
  NETPLAN_FOLDER,
  NETWORK_WATCH,
  type NetworkFile,
  type NetworkOwner,
  networkPlan,
} from './network/network-plan.ts';
export type { NetworkPlanRequest, OtherFamily } from './network/network-request.ts';
export {
  type PlatformNetworkInfo,
  type PlatformNetworkRequest,
  type PlatformNetworkStep,
  platformNetwork,
  type RetainedNames,
} from './network/platform-network.ts';
export {
  type VipInfo,
  type VipRefusal,
  type VipRequest,
  type VipStep,
  vipPlace,
} from './network/vip-place.ts';
export type { VipChange } from './network/vip-plan.ts';
export { isOurVip, keepalivedText, type VipPlace } from './network/vip-text.ts';
export {
  type TimeInfo,
  type TimeRefusal,
  type TimeRequest,
  type TimeStep,
  timePlace,
} from './time/time-place.ts';
export type { TimeChange } from './time/time-plan.ts';
export { chronyText, directives, isOurTime, type TimePlace } from './time/time-text.ts';
