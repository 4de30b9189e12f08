/** A stream that breaks off when more comes through it than anybody could use: for bodies that somebody else sends. */
export const limitedBytes = (limit: number, tooLarge: () => Error): TransformStream<Uint8Array, Uint8Array> => {
  let seen = 0
  return new TransformStream({
    transform: (chunk, controller) => {
      seen += chunk.length
      if (seen > limit) controller.error(tooLarge())
      else controller.enqueue(chunk)
    }
  })
}
