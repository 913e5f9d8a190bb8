/** Mirrors of videos: ours of those of others, and others' of ours. */
export const messages = {
  title: "Mirrored videos",
  lead: "Copies of videos that lighten the load of the instance they belong to: players use them, too.",
  ours: "Mirrored here",
  others: "Mirrored by others",
  oursHelp: "Videos of other instances whose files this instance also serves.",
  othersHelp: "Videos of this instance whose files others also serve.",
  jobs: "Jobs",
  mirror: "Mirror a video",
  mirrorTitle: "Mirror a video",
  mirrorText: "Its HLS files are copied in the background and served from here until somebody removes the mirror.",
  address: "Video",
  addressHelp: "Its address on the other instance or on this one, or its id.",
  notFound: "No such video is found. Is the address right, and the video public?",
  asked: "The video is copied in the background. It appears here when that is done.",
  video: "Video",
  of: "of {host}",
  keptBy: "on {host}",
  strategy: "Why",
  strategyName:
    "{strategy, select, most_views {Most watched} trending {Trending} recently_added {Recently added} other {By hand}}",
  size: "Size",
  since: "Since",
  expires: "Expires",
  never: "Never",
  acts: "Actions",
  remove: "Remove",
  removeOne: "Remove the mirror of {name}",
  removeTitle: "{count, plural, one {Remove the mirror of “{name}”?} other {Remove these # mirrors?}}",
  removeOursText:
    "{count, plural, one {Its files are deleted here.} other {Their files are deleted here.}} The video stays on its own instance; a strategy may choose it again.",
  removeOthersText:
    "Players are not sent there any more. {count, plural, one {The other instance may announce it again.} other {The other instances may announce them again.}}",
  removed: "{count, plural, one {The mirror is removed.} other {# mirrors are removed.}}",
  noOursTitle: "Nothing is mirrored here",
  noOursText:
    "Mirror a video by hand, or allow an instance that is followed and choose strategies in the configuration (redundancy.videos.strategies).",
  noOthersTitle: "Nobody mirrors videos of this instance",
  noOthersText: "Mirrors of others appear here when they announce them.",
  room: "Room of the strategies",
  roomOf: "Room taken: {name}",
  roomTaken: "{used} of {size}, {count, plural, one {# video} other {# videos}}"
} as const
