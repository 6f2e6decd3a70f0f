export { faultOf, faultOfPages, faultOfWal, isDamage, isSmall } from './check.ts';
export { openWhole } from './open-whole.ts';
export { dropReport, readReport, type Salvage, salvagedMs } from './report.ts';
export { finishSwap, restoreFile, salvage } from './salvage.ts';
export { treeRows } from './tree-rows.ts';
