/** Checks a parsed tree against the whole format and ties what is wrong to positions. Pure: includes and variables are resolved before. */
import { Either, Schema } from "effect"
import { dotted, type Problem } from "../Problem.ts"
import { keyPositionAt, positionNear, toRaw, type YamlNode } from "../yaml/YamlNode.ts"
import type { Problems } from "../yaml/ParseYaml.ts"
import { crossFaults } from "./CrossChecks.ts"
import type { Fault } from "./Fault.ts"
import { schemaFaults } from "./SchemaFaults.ts"
import { WorkflowDocument } from "./WorkflowDocument.ts"

/** Ties a fault to the file: a wrong key to the key, anything else to the value or to the nearest place around it. */
const locate = (root: YamlNode, { message, place, subject, suggestion }: Fault): Problem => {
  const position = (subject === "key" ? keyPositionAt(root, place) : undefined) ?? positionNear(root, place)
  return { path: dotted(place), message, ...position, ...(suggestion === undefined ? {} : { suggestion }) }
}

const decode = Schema.decodeUnknownEither(WorkflowDocument, { errors: "all" })

export const decodeDocument = (root: YamlNode): Either.Either<WorkflowDocument, Problems> => {
  const decoded = Either.mapLeft(decode(toRaw(root)), schemaFaults)
  const faults = Either.match(decoded, { onLeft: (found) => found, onRight: crossFaults })
  const [first, ...rest] = faults.map((found) => locate(root, found))
  if (first !== undefined) return Either.left([first, ...rest])
  return Either.mapLeft(decoded, (): Problems => [{ path: "", message: "the document cannot be read" }])
}
