export * from './history-trial.ts';
export * from './host-trial.ts';
