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
export { CONFIGURE_WATCH, configurePlan, type InstallFacts, installPlan } from './install-plan.ts';
export { type JournalEntry, type JournalState, readJournal, resumption } from './journal.ts';
export { layout, SERVICE, slotOf, versionOf } from './layout.ts';
export { MEMORY_PROFILES, neededMb } from './memory-profile.ts';
export {
  NETPLAN_FILE,
  NETPLAN_FOLDER,
  NETWORK_WATCH,
  type NetworkFile,
  type NetworkOwner,
  type NetworkWish,
  networkPlan,
  type OtherFamily,
} from './network-plan.ts';
export { type Plan, type PlanName, planLines, type Step } from './plan.ts';
export {
  type KeptNames,
  type PlatformNetworkFacts,
  type PlatformNetworkStep,
  type PlatformWish,
  platformNetwork,
} from './platform-network.ts';
export { reachedAt } from './reached-at.ts';
export { type Look, type PlanEvent, PlanFailure, type PlanPorts, runPlan, takeAllBack } from './run-plan.ts';
export { type TimeFacts, type TimeRefusal, type TimeStep, type TimeWish, timePlace } from './time-place.ts';
export type { TimeChange } from './time-plan.ts';
export { chronyText, directives, isOurTime, type TimePlace } from './time-text.ts';
export { keptByUninstall, uninstallPlan } from './uninstall-plan.ts';
export { rollbackPlan, TRIAL_END, type UpgradeFacts, upgradePlan, WATCH } from './upgrade-plan.ts';
export { type VipFacts, type VipRefusal, type VipStep, type VipWish, vipPlace } from './vip-place.ts';
export type { VipChange } from './vip-plan.ts';
export { isOurVip, keepalivedText, type VipPlace } from './vip-text.ts';
