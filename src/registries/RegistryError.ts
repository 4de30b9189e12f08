/** The expected failures of registries and of the file that lists them. */
import { Schema } from "effect"

/**
 * - `invalid`: the name or source that was given cannot be a registry's
 * - `exists`: the name is taken
 * - `unknown`: no registry or workflow has this name
 * - `unsupported`: a kind of registry that this version cannot read
 * - `unavailable`: the folder, its index or a file cannot be read
 * - `unsafe`: a file that would be outside the registry, or is no ordinary file
 */
export class RegistryError extends Schema.TaggedError<RegistryError>()("RegistryError", {
  registry: Schema.String,
  problem: Schema.Literal("invalid", "exists", "unknown", "unsupported", "unavailable", "unsafe"),
  reason: Schema.String,
  remedy: Schema.String
}) {
  override get message(): string {
    return `Registry '${this.registry}': ${this.reason}. ${this.remedy}`
  }
}

/** `registries.toml` is not what it should be. Lines and columns count from 1. */
export class RegistriesFileError extends Schema.TaggedError<RegistriesFileError>()("RegistriesFileError", {
  file: Schema.String,
  line: Schema.optional(Schema.Number),
  column: Schema.optional(Schema.Number),
  reason: Schema.String,
  remedy: Schema.String
}) {
  override get message(): string {
    const place = this.line === undefined ? this.file : `${this.file}:${this.line}:${this.column ?? 1}`
    return `${place}: ${this.reason}. ${this.remedy}`
  }
}
