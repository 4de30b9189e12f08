/** Addresses of repositories, as `git` takes them: `https://…`, `ssh://…`, `file://…` or `user@host:path`. Pure. */

/** The form of what may stand for an owner or a repository; dots alone would leave the folder that it gets. */
const name = /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$/
export const isRepositoryName = (text: string): boolean => name.test(text)

const address = /^(?:(?:https|ssh|file):\/\/[^\s-]\S*|[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9[][A-Za-z0-9_.:[\]-]*:\S+)$/

/** Whether `file:` is spoken is up to whoever calls git. A host cannot be taken for an option. */
export const isRepositoryAddress = (text: string): boolean => address.test(text)

const withAuthority = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@/i

/**
 * What people, logs and cache keys may see of an address: somebody may have written a password into it, and the name before
 * an `@` may be a token. The user of `ssh` is none; without it the address would be another one.
 */
export const withoutCredentials = (address: string): string =>
  address.replace(withAuthority, (_, scheme: string, user: string) =>
    /^ssh:/i.test(scheme) ? `${scheme}${user.replace(/:.*$/s, "")}@` : scheme
  )

/** No person is called so; hosts take a token where the name stands. */
const shortestToken = 20

/** The password in an address, or the token that stands where the name does. */
export const credentialIn = (address: string): string | undefined => {
  const [, , user = ""] = withAuthority.exec(address) ?? []
  const colon = user.indexOf(":")
  if (colon !== -1) return user.slice(colon + 1)
  return user.length < shortestToken ? undefined : user
}
