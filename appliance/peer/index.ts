export { type CopyEffect, CopyLane, WAIT_MS } from './copy-lane.ts';
export { copiesOf, isPromise } from './copy-write.ts';
export { type Member, othersAfter, readMembers } from './member.ts';
export {
  HELLO_MS,
  holderOf,
  initialView,
  type Link,
  leaderOf,
  type SiteView,
  stepView,
  substituteOf,
  type ViewEffect,
  type ViewInput,
  vipIsTwice,
} from './site-view.ts';
