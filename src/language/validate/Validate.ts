/**
 * Semantic checks of a workflow that loads (workflow language §6). Pure: what needs files, network or a provider's answer is
 * not asked here.
 */
import type { LoadedWorkflow } from "../Loader.ts"
import type { Place, Position } from "../Problem.ts"
import { diagnosticOf, type Diagnostic, type Finding } from "./Diagnostic.ts"
import { conditionNames } from "./ConditionRules.ts"
import { gateStepRoutes, loopKeys, subWorkflowOutputs } from "./DocumentedForms.ts"
import { bareOutputFields, documentedNames } from "./DocumentedNames.ts"
import { forEachNames, groupNames, inlineSteps, memberDialogs, parallelMembers, repeatedMembers } from "./GroupRules.ts"
import { explicitContext } from "./ExplicitContext.ts"
import { inputReferences } from "./InputRules.ts"
import { ignoredKeys } from "./KeyRules.ts"
import { mcpServers, mcpTools } from "./McpRules.ts"
import { outputCoverage } from "./OutputCoverage.ts"
import { providerLosses } from "./ProviderLosses.ts"
import { promptedOutput, providerCapabilities } from "./ProviderRules.ts"
import { abortRoutes, gateRoutes } from "./RoutingRules.ts"
import { scopeOf, type Scope } from "./Scope.ts"
import { itemSessions, sharedSessions } from "./SessionRules.ts"
import { blankPrompts, repeatedNames, undeclaredTools } from "./StepChecks.ts"
import { conditionSyntax, templateSyntax } from "./SyntaxRules.ts"
import { outputTemplates, siblingTemplates, stepTemplates } from "./TemplateRules.ts"

const RULES: Readonly<Record<string, (scope: Scope) => ReadonlyArray<Finding>>> = {
  "ignored-key": ignoredKeys,
  "gate-route": gateRoutes,
  "abort-route": abortRoutes,
  "input-reference": inputReferences,
  "undeclared-tool": undeclaredTools,
  "mcp-server": mcpServers,
  "mcp-tool": mcpTools,
  "parallel-member": parallelMembers,
  "repeated-member": repeatedMembers,
  "member-dialog": memberDialogs,
  "group-name": groupNames,
  "for-each-name": forEachNames,
  "for-each-step": inlineSteps,
  "blank-prompt": blankPrompts,
  "repeated-name": repeatedNames,
  "output-template": outputTemplates,
  "step-template": stepTemplates,
  "sibling-template": siblingTemplates,
  "template-syntax": templateSyntax,
  "condition-syntax": conditionSyntax,
  "condition-name": conditionNames,
  "bare-output-field": bareOutputFields,
  "documented-name": documentedNames,
  "gate-step-routes": gateStepRoutes,
  "loop-key": loopKeys,
  "sub-workflow-output": subWorkflowOutputs,
  "output-coverage": outputCoverage,
  "explicit-context": explicitContext,
  "provider-capability": providerCapabilities,
  "provider-loss": providerLosses,
  "prompted-output": promptedOutput,
  "shared-session": sharedSessions,
  "item-session": itemSessions
}

/** The position of a place or, when the file has no such place, of the nearest one around it. */
export const positionOf = ({ path, positions }: LoadedWorkflow, place: Place): Position => {
  for (let length = place.length; length > 0; length--) {
    const position = positions(place.slice(0, length))
    if (position !== undefined) return position
  }
  return { file: path, line: 1, column: 1 }
}

/** All findings, in the order of the rules; none of severity `error` means valid. */
export const validateWorkflow = (loaded: LoadedWorkflow): ReadonlyArray<Diagnostic> => {
  const scope = scopeOf(loaded)
  return Object.entries(RULES).flatMap(([rule, check]) =>
    check(scope).map((finding) => diagnosticOf(rule, finding, positionOf(loaded, finding.place)))
  )
}
