export * from './host-event.ts';
export * from './waiting-alarm.ts';
