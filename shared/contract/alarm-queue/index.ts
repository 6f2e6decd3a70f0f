export * from './call-list-test.ts';
export * from './host-event.ts';
export * from './push.ts';
export * from './waiting-alarm.ts';
