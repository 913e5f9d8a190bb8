/** Watched words and automatic tags, of the user or of the instance. */
export const messages = {
  title: "{by, select, instance {Watched words of the instance} other {Watched words}}",
  pageLead:
    "{by, select, instance {Comments and videos that have one of these words are tagged with the name of its list: moderators find them by it.} other {Comments on your videos that have one of these words are tagged with the name of its list.}}",
  parts: "Words and tags",
  lists: "Lists of words",
  tags: "{by, select, instance {Blocked videos} other {Held comments}}",
  name: "Name",
  words: "Words",
  changed: "Changed",
  acts: "Actions",
  more: "{count, plural, one {and # more} other {and # more}}",
  subscribed: "Subscribed: {address}",
  create: "New list",
  edit: "Edit",
  editTitle: "Edit {name}",
  delete: "Delete",
  deleteAsk: "Delete the list {name}?",
  deleteText: "Nothing new is tagged with it, and nothing is held back for it any more.",
  deleted: "The list {name} is deleted.",
  saved: "The list {name} is saved.",
  nameHelp:
    "{by, select, instance {The tag that comments and videos get.} other {The tag that comments get. You alone see it.}}",
  nameWrong: "The name must have 1 to 100 characters.",
  nameTaken: "The program itself has a tag of this name.",
  wordsHelp:
    "A word or phrase a line; capitals and accents do not matter. {count, plural, =0 {None yet} other {# now}}, at most {max}.",
  noWords: "The list needs a word at least, and {max} at most.",
  tooMany: "The list has too many words: {max} at most.",
  lineLong: "Line {line} is too long: a word or phrase has {max} characters at most.",
  emptyTitle: "No words watched",
  emptyText:
    "{by, select, instance {A list of words marks what moderators should look at.} other {A list of words marks comments that you should look at.}}",
  tagsText:
    "{by, select, instance {New and changed videos of users with these tags are blocked until a moderator has looked at them.} other {New and changed comments with these tags are seen by nobody else until you approve them.}}",
  externalLink: "Links to other sites",
  externalLinkHelp: "What has an address of another site in its text.",
  tagHelp: "What has a word of this list.",
  isChosen:
    "{by, select, instance {Videos with the tag “{tag}” are blocked from now on.} other {Comments with the tag “{tag}” wait for you from now on.}}",
  isLeft:
    "{by, select, instance {Videos with the tag “{tag}” are blocked no longer.} other {Comments with the tag “{tag}” wait no longer.}}"
} as const
