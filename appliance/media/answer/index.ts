/** Public face of the analysis of answered calls: signs of a network or a machine in the audio of the callee. */
export { AnswerAnalysis, type AnswerSign } from './answer-analysis.ts';
