/**
 * Cases that the corpus does not mark as odd and on which we differ all the same, with the reason. Their answers stay as
 * they are; docs/compatibility.md tells users.
 */
export const deliberate: ReadonlyMap<string, string> = new Map([
  ["resume-group", "members of a group that have finished are not repeated, and the counts of the group are true"],
  ["resume-questions", "answers are kept, so questions are not presented again and nothing partial is stored"]
])
