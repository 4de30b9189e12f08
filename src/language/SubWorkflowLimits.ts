/** How far sub-workflows go. */

/** How many workflows may be below the root, one in the other (workflow language §5.9). */
export const MAX_DEPTH = 10

/** How many are looked at before a run: enough for any that people write, and an end for those made to have none. */
export const MAX_WORKFLOWS = 100
