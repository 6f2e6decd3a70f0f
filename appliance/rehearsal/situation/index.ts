export { rehearsalPage } from './page.ts';
export {
  type AlarmForm,
  type CarriedForm,
  type Expectation,
  type RecordName,
  RULES,
  type SignedForm,
  type Situation,
  type Step,
} from './situation.ts';
export { SITUATIONS } from './table.ts';
