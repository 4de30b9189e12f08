/** How skills and plugins are named: by a path, or by the name of something that is installed (workflow language §7.7). */

/** By its form alone, so that what a name means never depends on which files exist. */
export const isAssetPath = (name: string): boolean => /^[.~]|[\\/]/.test(name)
