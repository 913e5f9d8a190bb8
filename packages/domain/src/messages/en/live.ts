/** What pages and players say of lives. */
export const messages = {
  live: "LIVE",
  soon: "Soon",
  atEdge: "LIVE: you see it as it happens",
  toEdge: "LIVE: go to what happens now",
  notBegun: "This live has not begun",
  beginsAt: "It is announced for {when}.",
  byItself: "It plays here by itself when it begins.",
  hasEnded: "This live has ended",
  over: "The live has ended",
  replayFollows: "Its replay follows here when it is ready.",
  replayOnChannel: "Its replay follows on the page of the channel.",
  replayIsHere: "The replay is ready.",
  watchReplay: "Watch the replay",
  needsScript: "Watching a live needs JavaScript.",
  viewers:
    "{count, plural, =0 {Nobody is watching yet} one {{short} person is watching} other {{short} people are watching}}"
} as const
