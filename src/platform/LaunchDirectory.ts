/**
 * Where commands and tool servers of a run work that name no directory. A run with a process of its own works there anyway;
 * one among others in this process has to be told.
 */
import { Context } from "effect"
import { resolve } from "node:path"

/** Absolute; undefined: the working directory of this process. */
export class LaunchDirectory extends Context.Reference<LaunchDirectory>()("conductor/LaunchDirectory", {
  defaultValue: (): string | undefined => undefined
}) {}

/** A relative `path` begins at the launch directory. Undefined is left to whoever starts the command. */
export const inLaunchDirectory = (launch: string | undefined, path: string | undefined): string | undefined =>
  launch === undefined || path === undefined ? (path ?? launch) : resolve(launch, path)
