/** The configuration of the instance. */
export const messages = {
  title: "Configuration",
  lead: "What can be changed while the instance runs. It holds at once, on every node.",
  searchLabel: "Search in the settings",
  changedOnly: "Only what differs from the defaults",
  nothingTitle: "Nothing found",
  nothingText: "No setting fits the search.",
  pinned: "Pinned by {name}",
  originName:
    "{origin, select, file {From the file} database {Set here} environment {From the environment} other {Default}}",
  notSaved: "Not saved",
  withoutEffect: "Without effect: {why}",
  changes: "{count, plural, one {# change is not saved} other {# changes are not saved}}",
  discard: "Discard",
  saved: "{count, plural, one {# setting is saved.} other {# settings are saved.}}"
} as const
