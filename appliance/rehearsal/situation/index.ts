export { rehearsalPage } from './page.ts';
export type {
  AlarmForm,
  CarriedForm,
  Expectation,
  RecordName,
  SignedForm,
  Situation,
  Step,
} from './situation.ts';
export { SITUATIONS } from './table.ts';
