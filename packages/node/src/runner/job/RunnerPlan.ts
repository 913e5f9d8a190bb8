import { storyboardPlan } from "@kinora/media/images/StoryboardPlan"
import { ladder, type LadderSettings } from "@kinora/media/ladder/Ladder"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { NewRunnerJob } from "@kinora/storage/runner/RunnerJobBoard"
import { randomUUID } from "node:crypto"

/** What is to be made from a video. */
export interface Order {
  readonly video: { readonly id: number; readonly uuid: string; readonly sourceFilename: string | null }
  readonly info: MediaInfo
  readonly hls: boolean
}

/** Smaller is more urgent (contract: retries.priority). */
export const priorities = { storyboard: 95, transcoding: 100 } as const

/** The URL from which the runner of a job downloads its input. */
export const fileAddress = (origin: string, job: string, video: string, file = "max-quality"): string =>
  `${origin}/api/v1/runners/jobs/${job}/files/videos/${video}/${file}`

/** The runner job of a storyboard. Undefined for audio only. */
export const sheetPlan = ({ info, video }: Omit<Order, "hls">, origin: string): NewRunnerJob | undefined => {
  const plan = storyboardPlan(info)
  if (plan === undefined) return undefined
  const uuid = randomUUID()
  return {
    videoId: video.id,
    priority: priorities.storyboard,
    uuid,
    type: "generate-video-storyboard",
    payload: {
      input: { videoFileUrl: fileAddress(origin, uuid, video.uuid) },
      sprites: {
        size: { width: plan.spriteWidth, height: plan.spriteHeight },
        count: { width: plan.columns, height: plan.rows },
        duration: plan.spriteDuration
      },
      output: {}
    },
    privatePayload: { videoUUID: video.uuid, source: video.sourceFilename }
  }
}

/**
 * The runner jobs of a video, as in runner-protocol.json: one per rendition with video, highest first. Each rendition
 * is encoded once, and served as HLS, as a web video or as both depending on the configuration at that time. Audio
 * becomes videos that show its image.
 */
export const runnerPlan = (
  { hls, info, video }: Order,
  settings: LadderSettings,
  origin: string
): ReadonlyArray<NewRunnerJob> => {
  const shared = { videoId: video.id, priority: priorities.transcoding }
  const secret = { videoUUID: video.uuid, isNewVideo: true, canMoveVideoState: true, source: video.sourceFilename }
  const address = (uuid: string, file: string) => fileAddress(origin, uuid, video.uuid, file)

  return ladder(info, settings)
    .filter(({ hasVideo }) => hasVideo)
    .map(({ frameRate, resolution }): NewRunnerJob => {
      const uuid = randomUUID()
      const output = { resolution, fps: Math.round(frameRate.value) }
      const source = address(uuid, "max-quality")
      if (info.video === undefined) {
        const input = { audioFileUrl: source, previewFileUrl: address(uuid, "thumbnails/max-quality") }
        return {
          ...shared,
          uuid,
          type: "vod-audio-merge-transcoding",
          payload: { input, output },
          privatePayload: { ...secret, deleteInputFileId: null }
        }
      }
      const input = { videoFileUrl: source, separatedAudioFileUrl: [] }
      return hls
        ? {
            ...shared,
            uuid,
            type: "vod-hls-transcoding",
            payload: { input, output: { ...output, separatedAudio: false } },
            privatePayload: { ...secret, deleteWebVideoFiles: false }
          }
        : {
            ...shared,
            uuid,
            type: "vod-web-video-transcoding",
            payload: { input, output },
            privatePayload: { ...secret, deleteInputFileId: null }
          }
    })
}
