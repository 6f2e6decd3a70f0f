/** Public face of backups: written, verified, and restored as a new installation. */
export { ArchiveFault, type OpenBy, type SealTo } from './cipher.ts';
export { type RestoredBackup, restoreBackup } from './restore.ts';
export { type VerifiedBackup, verifyBackup } from './verify.ts';
export { type BackupProgress, type WrittenBackup, writeBackup } from './write.ts';
