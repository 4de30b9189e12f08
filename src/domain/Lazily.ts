/**
 * A value that is made when it is first needed, and once. For what takes a noticeable part of a start, such as patterns over
 * classes of Unicode, and is needed by few starts.
 */
export const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
