import { RESOURCE_KINDS, type ResourceName } from './resource-kind.ts';

/** Name of a kind's list in a whole configuration, in promotions and in answers of lists. */
export const sectionOf = (name: ResourceName): string => `${RESOURCE_KINDS[name].entity}s`;

/**
 * Kinds with a provisory set. Chosen: trunks too, for they have all verbs of the bridges, and a draft without promotion is
 * none.
 */
export const PROMOTABLE = ['alarmEventMapper', 'alarmBridge', 'cloudSipUa', 'trunk'] as const;

export type PromotableSection = 'alarmeventmappers' | 'alarmbridges' | 'cloudsipuas' | 'trunks';

export const promotableSection = (name: (typeof PROMOTABLE)[number]): PromotableSection =>
  sectionOf(name) as PromotableSection;
