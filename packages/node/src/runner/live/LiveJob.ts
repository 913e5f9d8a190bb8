import { liveJobType } from "@kinora/domain/enums/RunnerJobType"
import type { NewRunnerJob } from "@kinora/storage/runner/RunnerJobBoard"
import type { RunWork } from "../../live/session/LiveRuns.ts"

/** Nothing else is as urgent: people watch it. */
const priority = 10
/** Segments in a playlist of the runner. Players read those of the node. */
const segmentListSize = 15

/** The address at which a runner reads the stream. */
export const streamAddress = (publicUrl: string, key: string): string => `${publicUrl}/${key}`

/** The runner job of a run (contract: RunnerJobLiveRTMPHLSTranscodingPayload and its private payload). */
export const liveJob = (work: RunWork, uuid: string, rtmpUrl: string, node: string): NewRunnerJob => ({
  uuid,
  type: liveJobType,
  priority,
  videoId: work.video.id,
  payload: {
    input: { rtmpUrl },
    output: {
      toTranscode: work.outputs.map(({ fps, resolution }) => ({ resolution, fps: Math.round(fps) })),
      segmentDuration: work.segmentSeconds,
      segmentListSize
    }
  },
  privatePayload: {
    videoUUID: work.video.uuid,
    masterPlaylistName: `${work.token}-master.m3u8`,
    outputDirectory: work.directory,
    sessionId: work.token,
    node
  }
})
