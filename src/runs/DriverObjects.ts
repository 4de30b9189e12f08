/**
 * On Node 24 a process is aborted when a statement or a database of better-sqlite3 12 is collected as garbage: its destructor
 * asks for an environment where there is none. Version 13 mends it and does not run on Node 20, so nothing that the driver
 * makes is given up before the process ends, which is by `process.exit` and collects nothing. Statements are cached by their
 * texts, and an index is opened once, so they are few.
 */
import Database from "better-sqlite3"

type Method = (this: object, ...args: Array<unknown>) => unknown

/** What is called of every database: one of them, before it is done with. */
const METHODS = ["prepare", "exec", "close"] as const

type NativeDatabase = Record<(typeof METHODS)[number], Method>

const isNative = (value: unknown): value is NativeDatabase =>
  typeof value === "object" && value !== null && METHODS.every((name) => typeof Reflect.get(value, name) === "function")

const nativeOf = (database: object): object | undefined =>
  Object.getOwnPropertySymbols(database)
    .map((symbol): unknown => Reflect.get(database, symbol))
    .find(isNative)

const kept = new Set<object>()
let isKeeping = false

/** Keeps the database that it is called of, also when it fails, and what it makes of it. */
const keeping = (method: Method): Method =>
  function (...args) {
    kept.add(this)
    const made = method.apply(this, args)
    if (typeof made === "object" && made !== null) kept.add(made)
    return made
  }

/** Needed once for all databases, which share one class below the surface of the driver. */
export const keepDriverObjects = (): void => {
  if (isKeeping) return
  isKeeping = true
  const probe = new Database(":memory:")
  const native = nativeOf(probe)
  const shared: unknown = native === undefined ? undefined : Object.getPrototypeOf(native)
  if (isNative(shared)) for (const name of METHODS) shared[name] = keeping(shared[name])
  probe.close()
}

/** How many there are, for whoever wants to see that they are kept. */
export const keptDriverObjects = (): number => kept.size
