/**
 * Members of objects by type, as the contract has them (activitypub.json `types`); a `?` marks those that may be absent. Those
 * of releases before 8 that no later one has are left out.
 */
export const contractMembers = {
  Video:
    "type id name duration uuid tag category? licence? language? subtitleLanguage views downloads sensitive summary? " +
    "isLiveBroadcast liveSaveReplay permanentLive latencyMode dvrWindow schedules? commentsPolicy canReply downloadEnabled " +
    "waitTranscoding state embedUrl published originallyPublishedAt updated uploadDate? mediaType content support " +
    "aspectRatio icon url likes dislikes shares comments hasParts playerSettings attributedTo preview? to cc audience",
  Actor:
    "type id following followers playlists inbox outbox preferredUsername url name endpoints summary attributedTo? support? " +
    "publicKey postingRestrictedToMods? image? icon? published playerSettings? indexable discoverable email?",
  Note: "type id content mediaType inReplyTo published updated url attributedTo tag replyApproval audience to cc",
  Tombstone: "id type formerType inReplyTo published updated deleted",
  Playlist:
    "id type name content mediaType uuid totalItems attributedTo icon? published updated videoChannelPosition? audience? " +
    "first? to",
  PlaylistPage:
    "id type name content mediaType uuid totalItems attributedTo icon? published updated videoChannelPosition? audience? to " +
    "orderedItems partOf next? prev?",
  PlaylistElement: "id type url position startTimestamp? stopTimestamp?",
  Chapters: "id hasPart",
  PlayerSettings: "type id object theme",
  CacheFile: "id type object expires url",
  WatchAction: "id type startTime endTime uuid object actionStatus duration watchSections",
  Image: "type url mediaType width height"
} as const

/** Members of ours beyond those (docs/decisions/activitypub-objects.md). */
export const ownMembers: Readonly<Partial<Record<keyof typeof contractMembers, string>>> = {
  Actor: "assertionMethod? attributionDomains",
  Playlist: "cc",
  PlaylistPage: "cc"
}
