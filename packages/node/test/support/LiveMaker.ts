import { expect } from "vitest"
import { type KinoraProcess, until } from "./KinoraProcess.ts"

/** A live that was created, and where it is published. */
export interface CreatedLive {
  readonly id: number
  readonly uuid: string
  /** RTMP, with the key. */
  readonly address: string
  readonly rtmpUrl: string
  readonly rtmpsUrl: string
  readonly streamKey: string
}

/** A video that is, was or will be live. */
export interface LiveVideo {
  readonly id: number
  readonly name: string
  readonly isLive: boolean
  readonly duration: number
  readonly state: { readonly id: number }
  readonly privacy: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly segmentsSha256Url: string
    readonly files: ReadonlyArray<{
      readonly resolution: { readonly id: number }
      readonly fileDownloadUrl: string
    }>
  }>
}

/** The administrator of a node, who makes lives. */
export const liveMaker = async (node: KinoraProcess) => {
  const auth = await node.login()
  const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
  const channelId = me.videoChannels[0]!.id

  const send = (method: string, path: string, body?: unknown, by = auth) =>
    fetch(node.url + path, {
      method,
      headers: { ...by, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })

  const create = async (fields: Record<string, unknown> = {}, by = auth): Promise<CreatedLive> => {
    const answer = await send("POST", "/api/v1/videos/live", { channelId, name: "A live", privacy: 1, ...fields }, by)
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    const doors = await node.json<Omit<CreatedLive, "id" | "uuid" | "address">>(`/api/v1/videos/live/${video.id}`, by)
    return { ...video, ...doors, id: video.id, address: `${doors.rtmpUrl}/${doors.streamKey}` }
  }

  const videoOf = (id: number | string) => node.json<LiveVideo>(`/api/v1/videos/${id}`, auth)

  /** Waits until a video is in a state (contract: VideoState). */
  const untilState = (id: number, state: number, isLive = true) =>
    until(`state ${state} of video ${id}`, 60, async () => {
      const video = await videoOf(id)
      return video.state.id === state && video.isLive === isLive ? video : undefined
    })

  return { auth, channelId, send, create, videoOf, untilState }
}
