export * from './csrf-header.ts';
export * from './leave.ts';
export * from './profile.ts';
export * from './replicated.ts';
export * from './revocation.ts';
export * from './session.ts';
export * from './setup.ts';
export * from './user.ts';
