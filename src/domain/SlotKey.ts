/** What the events of a sub-workflow carry in their path: the name of its step, or of its item in a group. */

/** The slot of an item is the name of its group with the item's key behind it. */
export const itemSlot = (group: string, key: string): string => `${group}[${key}]`

/** Whether it belongs to the node of that name. */
export const isSlotOf = (node: string, slot: string | undefined): boolean =>
  slot !== undefined && (slot === node || slot.startsWith(`${node}[`))
