/** Set by the build to the version in package.json. */
declare const __VERSION__: string
