/** Amounts of US dollars for people. What a call to a model costs is often less than a cent, and is told all the same. */

const CENTS = 2
const SMALL = 4

/** Below ten cents with four decimals, and with more when the first two digits that count stand behind those. */
const decimals = (usd: number): number =>
  usd === 0 || usd >= 0.1 ? CENTS : Math.min(20, Math.max(SMALL, 1 - Math.floor(Math.log10(usd))))

/** `$1.20`, `$0.0042`, `$0.000031`. */
export const dollars = (usd: number): string => `$${usd.toFixed(decimals(usd))}`
