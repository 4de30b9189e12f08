/**
 * On Node 24 (seen on 24.21) a process is aborted when a statement or a database of better-sqlite3 12 is collected as garbage: its
 * destructor asks for an environment where there is none. Version 13 mends it and does not run on Node 20, so nothing that
 * the driver makes is given up before the process ends, which is by `process.exit` and collects nothing. Statements are
 * cached by their texts, so they are few.
 */
import Database from "better-sqlite3"

interface NativeDatabase {
  prepare: (this: NativeDatabase, ...args: Array<unknown>) => object
}

const isNative = (value: unknown): value is NativeDatabase =>
  typeof value === "object" && value !== null && "prepare" in value && typeof value.prepare === "function"

const nativeOf = (database: object): NativeDatabase | undefined =>
  Object.getOwnPropertySymbols(database)
    .map((symbol): unknown => Reflect.get(database, symbol))
    .find(isNative)

/** Each statement holds its database. */
const kept = new Set<object>()
let isKeeping = false

/** Needed once for all databases, which share one class below the surface of the driver. */
export const keepStatements = (): void => {
  if (isKeeping) return
  isKeeping = true
  const probe = new Database(":memory:")
  kept.add(probe)
  const native = nativeOf(probe)
  const shared: unknown = native === undefined ? undefined : Object.getPrototypeOf(native)
  if (isNative(shared)) {
    const { prepare } = shared
    shared.prepare = function (...args) {
      const statement = prepare.apply(this, args)
      kept.add(statement)
      return statement
    }
  }
  probe.close()
}

/** Statements that are kept, for whoever wants to see that they are. */
export const keptStatements = (): number => kept.size
