export { migrate, openSqlite, type Sqlite, type SqliteSetting } from './open-sqlite.ts';
