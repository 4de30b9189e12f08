/** One entry of `agents`: the keys of a step, checked against the rules of its type. */
import { Schema } from "effect"
import { StepFields } from "./StepFields.ts"
import { stepIssues } from "./StepRules.ts"

export const Step = StepFields.pipe(Schema.filter(stepIssues))
export type Step = typeof Step.Type
