/**
 * How much a workflow file may hold. The bounds are far above what people write, and low enough that reading a hostile
 * file costs neither the stack nor more than a moment.
 */

/** Levels of lists and maps inside one another. Real workflows stay below twenty. */
export const MAX_DEPTH = 100

/** Of one file, in bytes; registries have the same limit. */
const MAX_BYTES = 1024 * 1024

/** Why a file of this size is not read; undefined when it may be. */
export const sizeFault = (bytes: number): string | undefined =>
  bytes <= MAX_BYTES
    ? undefined
    : `the file has ${bytes} bytes, more than the ${MAX_BYTES} that are read; split it, or keep long texts in files of their own (!file)`
