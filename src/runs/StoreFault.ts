/** Turns failures of the file system into the one error that readers of the run store know. */
import { fileError, type FileError } from "../platform/PrivateFiles.ts"
import { RunStoreError } from "./RunErrors.ts"

export const storeFault = ({ code, message, path }: FileError): RunStoreError =>
  new RunStoreError({ path, code, message })

/** For what `node:fs` throws. */
export const storeFaultOf =
  (operation: FileError["operation"], path: string) =>
  (cause: unknown): RunStoreError =>
    storeFault(fileError(operation, path)(cause))
