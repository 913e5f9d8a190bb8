import { CommentsPolicy } from "@kinora/domain/enums/CommentsPolicy"
import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { labelled } from "@kinora/domain/enums/Labelled"
import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLicenceLabels } from "@kinora/domain/enums/VideoLicence"
import { publicAudience } from "@kinora/federation/activities/Audience"
import { imageMediaType } from "@kinora/federation/documents/ImageDocument"
import type { VideoDocument } from "@kinora/federation/documents/VideoDocument"
import { publicCollection } from "@kinora/federation/vocabulary/Terms"
import type { VideoRow } from "@kinora/storage/federation/activitypub/rows/VideoRow"
import { imageDocument } from "./Pictures.ts"
import { videoLinks } from "./VideoLinks.ts"

/** A member for a constant that has a label here. */
const constant = <Name extends "category" | "licence" | "language">(
  name: Name,
  id: string | number | null,
  labels: Readonly<Record<string | number, string>>
) => {
  const label = id === null ? undefined : labels[id]
  return label === undefined ? {} : { [name]: { identifier: String(id), name: label } }
}

const tagsOf = ({ nsfw, nsfwFlags, tags }: VideoRow): VideoDocument["tag"] => [
  ...tags.map((name) => ({ type: "Hashtag", name }) as const),
  ...(nsfw && (nsfwFlags & 1) > 0 ? [{ type: "SensitiveTag", name: "violent" } as const] : []),
  ...(nsfw && (nsfwFlags & 2) > 0 ? [{ type: "SensitiveTag", name: "explicitSex" } as const] : [])
]

/** Peers up to 6.x read the address of a caption as plain text, later ones as a list of links or as this. */
const captionsOf = ({ captions }: VideoRow, origin: string): VideoDocument["subtitleLanguage"] =>
  captions.map(({ automaticallyGenerated, filename, language, remoteUrl }) => ({
    identifier: language,
    name: labelled(language, videoLanguageLabels).label,
    automaticallyGenerated,
    url: remoteUrl ?? `${origin}/lazy-static/video-captions/${filename}`
  }))

const storyboardOf = ({ storyboard }: VideoRow, origin: string): Pick<VideoDocument, "preview"> =>
  storyboard === null
    ? {}
    : {
        preview: [
          {
            type: "Image",
            rel: ["storyboard"],
            url: [
              {
                mediaType: imageMediaType(storyboard.filename),
                href: storyboard.remoteUrl ?? `${origin}/lazy-static/storyboards/${storyboard.filename}`,
                width: storyboard.totalWidth,
                height: storyboard.totalHeight,
                tileWidth: storyboard.spriteWidth,
                tileHeight: storyboard.spriteHeight,
                tileDuration: `PT${storyboard.spriteDuration}S`
              }
            ]
          }
        ]
      }

/** What a live says of itself; null of other videos. */
const liveMembers = ({ live }: VideoRow) =>
  live === null
    ? { liveSaveReplay: null, permanentLive: null, latencyMode: null, dvrWindow: null }
    : {
        liveSaveReplay: live.saveReplay,
        permanentLive: live.permanent,
        latencyMode: live.latencyMode,
        dvrWindow: `PT${live.dvrWindow}S`,
        schedules: live.schedules.map((startDate) => ({ startDate }))
      }

/**
 * The object of a video of this instance, whose public address is `origin`. The order of members is part of the digest by
 * which the outbox knows what it sent last.
 */
export const videoDocument = (video: VideoRow, origin: string): VideoDocument => ({
  ...(video.isPublic ? publicAudience([], [`${video.accountUrl}/followers`]) : { to: [], cc: [] }),
  type: "Video",
  id: video.url,
  name: video.name,
  duration: `PT${video.duration}S`,
  uuid: video.uuid,
  ...constant("category", video.category, videoCategoryLabels),
  ...constant("licence", video.licence, videoLicenceLabels),
  ...constant("language", video.language, videoLanguageLabels),
  views: video.views,
  downloads: video.downloads,
  sensitive: video.nsfw,
  ...(video.nsfwSummary === null || video.nsfwSummary === "" ? {} : { summary: video.nsfwSummary }),
  waitTranscoding: video.waitTranscoding,
  state: video.state,
  canReply: video.commentsPolicy === CommentsPolicy.enabled ? null : publicCollection,
  commentsPolicy: video.commentsPolicy,
  downloadEnabled: video.downloadEnabled,
  embedUrl: video.embedPrivacyPolicy === EmbedPrivacyPolicy.allAllowed ? `${origin}/videos/embed/${video.uuid}` : null,
  published: video.publishedAt.toISOString(),
  originallyPublishedAt: video.originallyPublishedAt?.toISOString() ?? null,
  updated: video.updatedAt.toISOString(),
  ...(video.inputFileUpdatedAt === null ? {} : { uploadDate: video.inputFileUpdatedAt.toISOString() }),
  tag: tagsOf(video),
  mediaType: "text/markdown",
  content: video.description,
  support: video.support,
  subtitleLanguage: captionsOf(video, origin),
  icon: video.thumbnails.map((it) => imageDocument(it, it.type === 1 ? "thumbnails" : "previews", origin)),
  ...storyboardOf(video, origin),
  aspectRatio: video.aspectRatio,
  url: videoLinks(video, origin),
  likes: `${video.url}/likes`,
  dislikes: `${video.url}/dislikes`,
  shares: `${video.url}/announces`,
  comments: `${video.url}/comments`,
  hasParts: `${video.url}/chapters`,
  playerSettings: `${video.url}/player-settings`,
  attributedTo: [video.accountUrl, video.channelUrl],
  audience: video.channelUrl,
  isLiveBroadcast: video.isLive,
  ...liveMembers(video)
})
