export { type FileCalls, FilePlace, finishSwap, notRestored, removedFault } from './file-place.ts';
export { type DatabaseImage, type FileBytes, openImage } from './image.ts';
export type { FileValue } from './record.ts';
export { type PageScan, type ScannedRow, scanPage } from './scan.ts';
export { readWal, type WalPages } from './wal.ts';
