export { copyDatabases, countRows } from './copy-database.ts';
export { migrate, openSqlite, type Sqlite, type SqliteSetting } from './database/open-sqlite.ts';
export { type DeadLetterRow, readDeadLetters } from './dead-letter.ts';
export { lockFolder } from './folder-lock.ts';
export { type JournalSetting, type OpenJournal, openJournal } from './open-journal.ts';
export { faultOfPages, isDamage, type Salvage } from './salvage/index.ts';
export { type WatchedJournal, watchedJournal } from './watched-journal.ts';
