export { faultOfPages, isDamage, isSmall } from './check.ts';
export { openWhole } from './open-whole.ts';
export { dropReport, readReport, type Salvage, salvagedMs } from './report.ts';
export { restoreFile, salvage } from './salvage.ts';
export { treeRows } from './tree-rows.ts';
