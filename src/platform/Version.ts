/** The version of this program, as in package.json. Outside a build (tests on the source) it is a development version. */
export const version = typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0-development"
