type Term = string | { readonly "@type": string; readonly "@id": string }

const typed = (type: string, id: string): Term => ({ "@type": type, "@id": id })
const link = (id: string): Term => typed("@id", id)

/** What each kind of object says beyond ActivityStreams (contract: activitypub.json, "context"). */
const terms = {
  Video: {
    Hashtag: "as:Hashtag",
    category: "sc:category",
    licence: "sc:license",
    subtitleLanguage: "sc:subtitleLanguage",
    automaticallyGenerated: "pt:automaticallyGenerated",
    sensitive: "as:sensitive",
    language: "sc:inLanguage",
    identifier: "sc:identifier",
    isLiveBroadcast: "sc:isLiveBroadcast",
    liveSaveReplay: typed("sc:Boolean", "pt:liveSaveReplay"),
    permanentLive: typed("sc:Boolean", "pt:permanentLive"),
    latencyMode: typed("sc:Number", "pt:latencyMode"),
    dvrWindow: typed("sc:Duration", "pt:dvrWindow"),
    Infohash: "pt:Infohash",
    SensitiveTag: "pt:SensitiveTag",
    tileWidth: typed("sc:Number", "pt:tileWidth"),
    tileHeight: typed("sc:Number", "pt:tileHeight"),
    tileDuration: typed("sc:Number", "pt:tileDuration"),
    aspectRatio: typed("sc:Float", "pt:aspectRatio"),
    uuid: typed("sc:identifier", "pt:uuid"),
    originallyPublishedAt: "sc:datePublished",
    schedules: "sc:eventSchedule",
    startDate: "sc:startDate",
    embedUrl: "sc:embedUrl",
    uploadDate: "sc:uploadDate",
    hasParts: "sc:hasParts",
    playerSettings: "pt:playerSettings",
    views: typed("sc:Number", "pt:views"),
    downloads: typed("sc:Number", "pt:downloads"),
    state: typed("sc:Number", "pt:state"),
    size: typed("sc:Number", "pt:size"),
    fps: typed("sc:Number", "pt:fps"),
    canReply: "pt:canReply",
    commentsPolicy: typed("sc:Number", "pt:commentsPolicy"),
    downloadEnabled: typed("sc:Boolean", "pt:downloadEnabled"),
    waitTranscoding: typed("sc:Boolean", "pt:waitTranscoding"),
    support: typed("sc:Text", "pt:support"),
    likes: link("as:likes"),
    dislikes: link("as:dislikes"),
    shares: link("as:shares"),
    comments: link("as:comments"),
    PropertyValue: "sc:PropertyValue",
    value: "sc:value"
  },
  Playlist: {
    Playlist: "pt:Playlist",
    PlaylistElement: "pt:PlaylistElement",
    position: typed("sc:Number", "pt:position"),
    videoChannelPosition: typed("sc:Number", "pt:position"),
    startTimestamp: typed("sc:Number", "pt:startTimestamp"),
    stopTimestamp: typed("sc:Number", "pt:stopTimestamp"),
    uuid: typed("sc:identifier", "pt:uuid")
  },
  CacheFile: {
    expires: "sc:expires",
    CacheFile: "pt:CacheFile",
    size: typed("sc:Number", "pt:size"),
    fps: typed("sc:Number", "pt:fps")
  },
  Flag: {
    Hashtag: "as:Hashtag"
  },
  Actor: {
    playerSettings: "pt:playerSettings",
    playlists: link("pt:playlists"),
    support: typed("sc:Text", "pt:support"),
    lemmy: "https://join-lemmy.org/ns#",
    postingRestrictedToMods: "lemmy:postingRestrictedToMods",
    toot: "http://joinmastodon.org/ns#",
    indexable: "toot:indexable",
    discoverable: "toot:discoverable",
    email: "sc:email",
    attributionDomains: "toot:attributionDomains",
    // FEP-521a, without another document: who verifies signatures may have only those of the contract.
    assertionMethod: { "@id": "https://w3id.org/security#assertionMethod", "@type": "@id" },
    Multikey: "https://w3id.org/security#Multikey",
    controller: { "@id": "https://w3id.org/security#controller", "@type": "@id" },
    publicKeyMultibase: {
      "@id": "https://w3id.org/security#publicKeyMultibase",
      "@type": "https://w3id.org/security#multibase"
    }
  },
  WatchAction: {
    WatchAction: "sc:WatchAction",
    startTimestamp: typed("sc:Number", "pt:startTimestamp"),
    endTimestamp: typed("sc:Number", "pt:endTimestamp"),
    uuid: typed("sc:identifier", "pt:uuid"),
    actionStatus: "sc:actionStatus",
    watchSections: link("pt:watchSections"),
    addressRegion: "sc:addressRegion",
    addressCountry: "sc:addressCountry"
  },
  View: {
    WatchAction: "sc:WatchAction",
    InteractionCounter: "sc:InteractionCounter",
    interactionType: "sc:interactionType",
    userInteractionCount: "sc:userInteractionCount"
  },
  Comment: {
    replyApproval: "pt:replyApproval"
  },
  ApproveReply: {
    ApproveReply: "pt:ApproveReply"
  },
  RejectReply: {
    RejectReply: "pt:RejectReply"
  },
  Chapters: {
    hasPart: "sc:hasPart",
    endOffset: "sc:endOffset",
    startOffset: "sc:startOffset"
  },
  PlayerSettings: {
    PlayerSettings: link("pt:PlayerSettings"),
    theme: "pt:theme"
  },
  Download: {
    DownloadAction: "sc:DownloadAction",
    InteractionCounter: "sc:InteractionCounter",
    interactionType: "sc:interactionType",
    userInteractionCount: "sc:userInteractionCount"
  }
} as const satisfies Readonly<Record<string, Readonly<Record<string, Term>>>>

/** Kinds of objects, named as the contract names them (`ContextType`); those without terms of their own are in `plain`. */
export type ContextType = keyof typeof terms | (typeof plain)[number]

const plain = ["Collection", "Follow", "Reject", "Accept", "Announce", "Delete", "Rate"] as const

const base: ReadonlyArray<unknown> = [
  "https://www.w3.org/ns/activitystreams",
  "https://w3id.org/security/v1",
  { RsaSignature2017: "https://w3id.org/security#RsaSignature2017" }
]

const prefixes = { pt: "https://joinpeertube.org/ns#", sc: "http://schema.org/" }

const contexts = new Map<ContextType, ReadonlyArray<unknown>>([
  ...plain.map((type) => [type, base] as const),
  ...Object.entries(terms).map(([type, own]) => [type as ContextType, [...base, { ...prefixes, ...own }]] as const)
])

const texts = new Map([...contexts].map(([type, context]) => [type, `{"@context":${JSON.stringify(context)},`]))

/** The JSON text of an object, which has members and no `@context`, with the context of its kind before them. */
export const withContext = (type: ContextType, jsonText: string): string => texts.get(type)! + jsonText.slice(1)
