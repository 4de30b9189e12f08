/** The ISO text of an unquoted YAML date or time stamp, as values of `set` steps and inputs show it. */
const STAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?)?$/

const two = (digits: string | undefined): string => (digits ?? "0").padStart(2, "0")

/** Microseconds are kept, further digits are rounded to them. */
const fraction = (digits: string | undefined): string => {
  const microseconds = Math.min(999_999, Math.round(Number(`0.${digits ?? "0"}`) * 1e6))
  return microseconds === 0 ? "" : `.${String(microseconds).padStart(6, "0")}`
}

/** `source` is the text of a `YamlDate`. */
export const isoDate = (source: string): string => {
  const [, year, month, day, hour, minute, second, digits, zone, sign, zoneHour, zoneMinute] = STAMP.exec(source) ?? []
  const date = `${year ?? ""}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const offset = zone === undefined ? "" : `${sign ?? "+"}${two(zoneHour)}:${two(zoneMinute)}`
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${fraction(digits)}${offset}`
}
