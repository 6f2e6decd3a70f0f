export { fromOutside, ORPHAN_STRATUM, TRACKING, type Tracking, trackingIn } from './tracking.ts';
