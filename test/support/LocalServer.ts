/** An HTTP server of this process on a free port of the machine, gone with the scope whatever clients still hold. */
import { Effect, type Scope } from "effect"
import type { Server } from "node:http"
import type { Socket } from "node:net"

/** The origin, `http://127.0.0.1:<port>`. */
export const listenLocally = (server: Server): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    server.on("connection", (socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  })
