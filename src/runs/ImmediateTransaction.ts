/**
 * Transactions that take the write lock at their start. With SQLite's default a transaction that reads first fails at once
 * when another process has written in between, and no waiting time helps (stack notes §3.7).
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Scope } from "effect"

export const makeImmediate = (sql: SqlClient.SqlClient) =>
  SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [],
    acquireConnection: Effect.gen(function* () {
      const scope = yield* Scope.make()
      return [scope, yield* Scope.extend(sql.reserve, scope)] as const
    }),
    begin: (connection) => connection.execute("BEGIN IMMEDIATE", [], undefined),
    savepoint: (connection, id) => connection.execute(`SAVEPOINT step_${id}`, [], undefined),
    commit: (connection) => connection.execute("COMMIT", [], undefined),
    // Where the lock was not got there is nothing to roll back, and that error would hide the one that matters.
    rollback: (connection) => Effect.ignore(connection.execute("ROLLBACK", [], undefined)),
    rollbackSavepoint: (connection, id) => connection.execute(`ROLLBACK TO SAVEPOINT step_${id}`, [], undefined)
  })
